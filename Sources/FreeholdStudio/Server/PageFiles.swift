import Foundation

/// The files of the page, which are in the executable.
enum PageFiles {
    static let all: [String: [UInt8]] = [
        "index.html": PackageResources.index_html, "tokens.css": PackageResources.tokens_css,
        "page.css": PackageResources.page_css, "views.css": PackageResources.views_css,
        "icon.svg": PackageResources.icon_svg, "api.js": PackageResources.api_js,
        "app.js": PackageResources.app_js, "card.js": PackageResources.card_js,
        "checkpage.js": PackageResources.checkpage_js,
        "classpage.js": PackageResources.classpage_js,
        "completion.js": PackageResources.completion_js, "dom.js": PackageResources.dom_js,
        "edit.js": PackageResources.edit_js, "grid.js": PackageResources.grid_js,
        "palette.js": PackageResources.palette_js, "querybox.js": PackageResources.querybox_js,
        "reviewpage.js": PackageResources.reviewpage_js,
        "schemapage.js": PackageResources.schemapage_js,
        "spacepage.js": PackageResources.spacepage_js, "state.js": PackageResources.state_js,
        "streampage.js": PackageResources.streampage_js, "value.js": PackageResources.value_js,
        "versionspage.js": PackageResources.versionspage_js,
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    /// A file by its name, and its media type.
    ///
    /// - Parameter directory: Where to read it instead, while the page is being worked on.
    static func file(_ name: String, from directory: String?) -> (bytes: [UInt8], type: String)? {
        guard let embedded = all[name],
            let type = types[String(name.split(separator: ".").last ?? "")]
        else { return nil }
        guard let directory else { return (embedded, type) }
        let url = URL(fileURLWithPath: directory).appendingPathComponent(name)
        return (try? Data(contentsOf: url)).map { ([UInt8]($0), type) }
    }
}
