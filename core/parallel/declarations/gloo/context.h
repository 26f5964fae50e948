#pragma once

namespace gloo {
class Context;
}
