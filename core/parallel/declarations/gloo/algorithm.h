#pragma once

// Nothing of it is needed.
