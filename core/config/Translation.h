#pragma once

/// Marks a text that a person will read; core speaks English, the window translates what lupdate collected.
#define TR_LATER(context, text) text
