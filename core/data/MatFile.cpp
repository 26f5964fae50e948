#include "core/data/MatFile.h"

#include "core/base/InputFile.h"
#include "core/base/Text.h"

#include <fmt/format.h>
#include <matio.h>

#include <functional>
#include <memory>
#include <numeric>

namespace trainyard {
namespace {

struct FileCloser {
    void operator()(mat_t* file) const { Mat_Close(file); }
};
struct VariableFreer {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, VariableFreer>;

constexpr int kDeepest = 16; ///< cells within cells

std::size_t countOf(const matvar_t& variable) {
    if (!variable.data || variable.rank < 1)
        return 0;
    return std::accumulate(variable.dims, variable.dims + variable.rank, std::size_t(1), std::multiplies<>());
}

template <class T>
void takeNumbers(const matvar_t& variable, MatValue& value) {
    const auto* first = static_cast<const T*>(variable.data);
    value.numbers.assign(first, first + std::min(countOf(variable), variable.nbytes / sizeof(T)));
}

/// The characters of row `row`; each is `T`.
template <class T>
std::string rowOf(const matvar_t& variable, std::size_t row, std::size_t rows, std::size_t columns) {
    const auto* first = static_cast<const T*>(variable.data);
    std::u32string characters;
    for (std::size_t column = 0; column < columns; ++column)
        characters += char32_t(first[row + column * rows]);
    return text::encode(characters);
}

void takeTexts(const matvar_t& variable, MatValue& value) {
    const std::size_t rows = variable.rank >= 1 ? variable.dims[0] : 0,
                      columns = rows > 0 ? countOf(variable) / rows : 0;
    if (columns == 0)
        return;
    const std::size_t bytes = variable.nbytes / (rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
        if (variable.data_type == MAT_T_UTF8 && rows == 1) // characters may have several bytes
            value.texts.emplace_back(static_cast<const char*>(variable.data), variable.nbytes);
        else if (bytes == 1)
            value.texts.push_back(rowOf<std::uint8_t>(variable, row, rows, columns));
        else if (bytes == 2)
            value.texts.push_back(rowOf<std::uint16_t>(variable, row, rows, columns));
        else if (bytes == 4)
            value.texts.push_back(rowOf<std::uint32_t>(variable, row, rows, columns));
}

MatValue valueOf(matvar_t* variable, int depth);

void takeStructures(matvar_t* variable, MatValue& value, int depth) {
    const unsigned fields = Mat_VarGetNumberOfFields(variable);
    char* const* names = Mat_VarGetStructFieldnames(variable);
    const std::size_t count = fields > 0 ? std::accumulate(variable->dims, variable->dims + variable->rank,
                                                           std::size_t(1), std::multiplies<>())
                                         : 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto& structure = value.structures.emplace_back();
        for (unsigned field = 0; names && field < fields; ++field)
            structure.emplace(names[field], valueOf(Mat_VarGetStructFieldByIndex(variable, field, i), depth + 1));
    }
}

MatValue valueOf(matvar_t* variable, int depth) {
    MatValue value;
    if (!variable || !variable->dims || depth > kDeepest)
        return value;
    value.sizes.assign(variable->dims, variable->dims + variable->rank);
    switch (variable->class_type) {
    case MAT_C_CHAR:
        takeTexts(*variable, value);
        break;
    case MAT_C_CELL:
        for (std::size_t i = 0; i < std::min(countOf(*variable), variable->nbytes / sizeof(matvar_t*)); ++i)
            value.cells.push_back(valueOf(static_cast<matvar_t**>(variable->data)[i], depth + 1));
        break;
    case MAT_C_STRUCT:
        takeStructures(variable, value, depth);
        break;
    case MAT_C_DOUBLE:
        takeNumbers<double>(*variable, value);
        break;
    case MAT_C_SINGLE:
        takeNumbers<float>(*variable, value);
        break;
    case MAT_C_INT32:
        takeNumbers<std::int32_t>(*variable, value);
        break;
    case MAT_C_INT16:
        takeNumbers<std::int16_t>(*variable, value);
        break;
    case MAT_C_UINT16:
        takeNumbers<std::uint16_t>(*variable, value);
        break;
    case MAT_C_UINT8:
        takeNumbers<std::uint8_t>(*variable, value);
        break;
    default:
        break; // nobody asks for the others
    }
    return value;
}

} // namespace

std::vector<std::string> MatValue::allTexts() const {
    std::vector<std::string> all = texts;
    for (const MatValue& cell : cells) {
        const auto own = cell.allTexts();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

Result<std::vector<MatValue>> readMatFile(const std::filesystem::path& path, const std::vector<std::string>& names) {
    if (const auto opened = InputFile::open(path, ErrorKind::Data); !opened)
        return opened.error();
    const std::unique_ptr<mat_t, FileCloser> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file)
        return Error{ErrorKind::Data, "The file is no MATLAB file, or it is damaged.", path.string(),
                     "Copy it again from where it is published."};
    std::vector<MatValue> values;
    for (const std::string& name : names) {
        const Variable variable(Mat_VarRead(file.get(), name.c_str()));
        if (!variable)
            return Error{ErrorKind::Data, fmt::format("The file has no variable {} that can be read.", name),
                         path.string(), "Copy it again from where it is published."};
        values.push_back(valueOf(variable.get(), 0));
    }
    return values;
}

} // namespace trainyard
