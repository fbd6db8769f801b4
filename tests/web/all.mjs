// All tests in one process, with one browser and one server: that is quicker.

import "./layout_test.mjs";
import "./typing_test.mjs";
import "./pinning_test.mjs";
import "./export_test.mjs";
import "./errors_test.mjs";
import "./access_test.mjs";
