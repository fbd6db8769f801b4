#pragma once

#include <pybind11/pybind11.h>

namespace copse::python {

namespace py = pybind11;

// What the package's training.py is made of.
void add_training(py::module_& m);

}  // namespace copse::python
