#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "document.h"

namespace copse::python {

namespace py = pybind11;

// For pickle: everything but the model.
py::tuple document_state(const Document& document);
// Throws std::invalid_argument for what is no such state.
std::shared_ptr<Document> document_from_state(const py::tuple& state);

}  // namespace copse::python
