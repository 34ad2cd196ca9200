/// The main rules of axe for what is shown, as a script that returns sentences about what breaks
/// them. (axe-core itself is not among Debian's packages.)
enum AccessRules {
    static let script =
        """
        const found = [];
        const shown = (node) => node.getClientRects().length > 0
          && getComputedStyle(node).visibility === 'visible';
        const text = (node) => node.outerHTML.replace(/\\s+/g, ' ').slice(0, 140);
        const say = (rule, node) => found.push(rule + ': ' + text(node));
        const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
        // A modal dialog hides all else.
        const top = document.querySelector('dialog[open]') ?? document.body;
        const inTop = (selector) => all(selector).filter((node) => top.contains(node));
        """ + names + structure + references + contrast + """
            return found;
            """

    private static let names = """
        const name = (node) => node.getAttribute('aria-label')?.trim()
          || (node.getAttribute('aria-labelledby') ?? '').split(' ')
            .map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()
          || [...(node.labels ?? [])].map((label) => label.textContent).join(' ').trim()
          || (/^(INPUT|SELECT|TEXTAREA|PROGRESS)$/.test(node.tagName) ? ''
            : node.textContent.trim())
          || node.title || node.alt;
        for (const node of inTop('button, a[href], input, select, textarea, summary, progress,'
          + 'dialog, nav, aside, img, [role=grid], [role=img], [role=listbox], [role=combobox],'
          + '[role=group], [role=dialog], [tabindex="0"]')) if (!name(node)) say('no name', node);

        """

    private static let structure = """
        const within = { row: '[role=grid]', gridcell: '[role=row]', columnheader: '[role=row]',
          rowheader: '[role=row]', option: '[role=listbox]', rowgroup: '[role=grid]' };
        const roles = ['alert', 'button', 'columnheader', 'combobox', 'dialog', 'grid',
          'gridcell', 'group', 'img', 'link', 'list', 'listbox', 'listitem', 'log', 'none',
          'note', 'option', 'presentation', 'region', 'row', 'rowgroup', 'rowheader', 'status',
          'toolbar'];
        for (const node of all('[role]')) {
          const role = node.getAttribute('role');
          if (!roles.includes(role)) say('no role', node);
          if (within[role] && !node.parentElement.closest(within[role])) say('outside', node);
        }
        for (const node of all('[role=grid]'))
          if (!node.querySelector('[role=row]')) say('no rows', node);
        for (const node of all('[role=row]'))
          for (const child of node.children)
            if (!/^(gridcell|columnheader|rowheader)$/.test(child.getAttribute('role')))
              say('no cell of a row', child);
        for (const node of all('[role=listbox]')) {
          if (node.children.length === 0) say('no options', node);
          for (const child of node.children)
            if (!/^(option|group)$/.test(child.getAttribute('role'))) say('no option', child);
        }
        for (const node of all('ul:not([role]), ol:not([role])'))
          for (const child of node.children) if (child.tagName !== 'LI') say('no item', child);
        for (const node of all('li'))
          if (!node.closest('ul, ol, [role=listbox]')) say('item outside of a list', node);
        for (const node of all('dl'))
          for (const child of node.children)
            if (!/^(DT|DD|DIV)$/.test(child.tagName)) say('not in a dl', child);
        for (const node of all('button *, a[href] *'))
          if (node.matches('button, a[href], input, select, textarea')) say('nested', node);
        for (const node of all('[aria-hidden=true]'))
          if (node.querySelector('button, a[href], input, select, textarea, [tabindex="0"]'))
            say('hidden, but can be focused', node);
        const headings = all('h1, h2, h3, h4').map((node) => Number(node.tagName[1]));
        if (headings.filter((level) => level === 1).length !== 1)
          found.push('h1: ' + headings.join(' '));
        if (document.querySelectorAll('main').length !== 1) found.push('main');
        if (!document.documentElement.lang) found.push('lang');
        if (!document.title) found.push('title');
        for (const node of document.body.children)
          if (shown(node) && node.textContent.trim()
            && !node.matches('header, nav, main, aside, footer, dialog, a.skip, [role=status]'))
            say('outside of landmarks', node);
        const canScroll = (node) => /auto|scroll/.test(getComputedStyle(node).overflowY)
          && node.scrollHeight > node.clientHeight + 2;
        for (const node of inTop('*'))
          // The box above a list of options scrolls it.
          if (canScroll(node) && node.tabIndex < 0 && !node.matches('[role=listbox]')
            && !node.querySelector('a[href], button, input, [tabindex="0"]'))
            say('scrolls, but not by keyboard', node);

        """

    private static let references = """
        for (const attribute of ['aria-controls', 'aria-labelledby', 'aria-describedby',
          'aria-activedescendant', 'for'])
          for (const node of all(`[${attribute}]`))
            for (const id of node.getAttribute(attribute).split(' '))
              if (!document.getElementById(id)) say(attribute, node);
        const ids = new Set();
        for (const node of document.querySelectorAll('[id]')) {
          if (ids.has(node.id)) say('id twice', node);
          ids.add(node.id);
        }
        const values = { 'aria-expanded': /^(true|false)$/, 'aria-selected': /^(true|false)$/,
          'aria-pressed': /^(true|false)$/, 'aria-invalid': /^(true|false)$/,
          'aria-readonly': /^(true|false)$/, 'aria-sort': /^(none|ascending|descending)$/,
          'aria-live': /^(polite|assertive|off)$/, 'aria-current': /^(page|true|false)$/,
          'aria-rowindex': /^[1-9]/, 'aria-colindex': /^[1-9]/ };
        for (const [attribute, pattern] of Object.entries(values))
          for (const node of all(`[${attribute}]`))
            if (!pattern.test(node.getAttribute(attribute))) say(attribute, node);
        for (const node of all('[tabindex]')) if (node.tabIndex > 0) say('tabindex', node);

        """

    /// Text on its ground has at least 4.5 : 1, large text 3 : 1; not where controls are off.
    private static let contrast = """
        const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const known = new Map();
        const colour = (css) => {
          if (!known.has(css)) {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = css;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            known.set(css, [r, g, b, a / 255]);
          }
          return known.get(css);
        };
        const over = (front, back) => {
          const [share, rest] = [front[3], 1 - front[3]];
          return [0, 1, 2].map((i) => front[i] * share + back[i] * rest).concat(1);
        };
        const ground = (node) => {
          const layers = [];
          for (let at = node; at; at = at.parentElement) {
            const layer = colour(getComputedStyle(at).backgroundColor);
            if (layer[3] > 0) layers.push(layer);
            if (layer[3] === 1) break;
          }
          return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255, 1]);
        };
        const light = (rgb) => {
          const [r, g, b] = rgb.slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
        const bad = new Set();
        while (walker.nextNode()) {
          const node = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || !shown(node)) continue;
          if (node.closest('[disabled], [aria-disabled=true], noscript, .skip')) continue;
          const style = getComputedStyle(node);
          let opacity = 1;
          for (let at = node; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
          if (opacity === 0) continue;
          const back = ground(node);
          const ink = colour(node instanceof SVGElement ? style.fill : style.color);
          const front = over([...ink.slice(0, 3), ink[3] * opacity], back);
          const [a, b] = [light(front), light(back)];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          const size = parseFloat(style.fontSize);
          const isLarge = size >= 24 || size >= 18.6 && Number(style.fontWeight) >= 700;
          const place = `${node.tagName}.${node.getAttribute('class')}`;
          if (ratio < (isLarge ? 3 : 4.5) - 0.01 && !bad.has(place)) {
            bad.add(place);
            found.push(`contrast ${ratio.toFixed(2)}: ${place} '${walker.currentNode.data.trim()
              .slice(0, 30)}' in ${node.parentElement.getAttribute('class')}`);
          }
        }

        """
}
