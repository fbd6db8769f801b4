#pragma once

#include <pybind11/pybind11.h>

namespace copse::python {

namespace py = pybind11;

// What the package's documents.py and pipeline.py are made of.
void add_documents(py::module_& m);

}  // namespace copse::python
