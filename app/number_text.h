#pragma once

#include "render/number_text.h"
