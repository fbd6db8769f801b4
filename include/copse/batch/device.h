// Where `Device` was in Copse 0.1.
#pragma once

#include "copse/parallel/device.h"
