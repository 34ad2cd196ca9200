#include "CMeasurement.h"
