// What a table says is sent at once, its numbers piece by piece.
#include "data/shared_reading.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/packed_values.hpp"
#include "data/mistakes.hpp"
#include "greybox/communicator.hpp"

namespace greybox {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

// Where a column that is not sent stands.
struct SentPlace {
  std::size_t offset = 0, size = 0, n_missing = 0, file_size = 0;
  bool has_infinite = false;
};

void pack(const DataTable& table, PackedValues& packed);

void pack(const Series& series, PackedValues& packed) {
  packed.put(series.name).put(series.first_row).put(series.n_rows).put(series.file);
}

void pack(const Column& column, PackedValues& packed) {
  packed.put(column.name).put(column.height).put(column.width).put(column.values.index());
  std::visit(
      [&](const auto& values) {
        packed.put(values.is_in_file()).put(values.size());
        if (!values.is_in_file()) return;
        const ValuesInFile& at = values.in_file();
        packed.put(SentPlace{at.offset, at.size, at.n_missing, at.file->bytes().size(), at.has_infinite});
      },
      column.values);
}

void pack(const InputTable& input, PackedValues& packed) {
  packed.put(input.name);
  pack(*input.table, packed);
}

template <class Part>
void pack_all(const std::vector<Part>& parts, PackedValues& packed) {
  packed.put(parts.size());
  for (const Part& part : parts) pack(part, packed);
}

void pack(const DataTable& table, PackedValues& packed) {
  packed.put(table.file).put(table.is_file).put(table.sha256).put(table.own_sha256);
  packed.put(table.time_name).put(table.time_unit).put(table.converted_from).put(table.has_dates);
  packed.put(table.time.size()).put(table.lines.size());
  pack_all(table.series, packed);
  pack_all(table.columns, packed);
  pack_all(table.inputs, packed);
}

std::shared_ptr<const MappedFile> map_file(const std::string& file, std::size_t size) {
  const Descriptor opened = open_to_read(file);
  struct stat status {};
  if (::fstat(opened.number(), &status) != 0 || static_cast<std::size_t>(status.st_size) != size)
    Place{file, ""}.refuse("the file is not what the first process has read",
                           "the data file must be the same on all computers");
  return std::make_shared<const MappedFile>(opened, size);
}

// Sends a table in the first process, and makes it in others.
class TableMessage {
 public:
  explicit TableMessage(Communicator& all) : all_(all) {}

  void send(const DataTable& table) {
    send_values(table.time);
    send_values(table.lines);
    for (const Column& column : table.columns)
      std::visit(
          [&](const auto& values) {
            if (!values.is_in_file()) send_values(values);
          },
          column.values);
    for (const InputTable& input : table.inputs) send(*input.table);
  }

  // Sizes first; the numbers come after all of what is packed.
  DataTable unpack(UnpackedValues& packed) {
    DataTable table;
    table.file = packed.get<std::string>();
    table.is_file = packed.get<bool>();
    table.sha256 = packed.get<std::string>();
    table.own_sha256 = packed.get<std::string>();
    table.time_name = packed.get<std::string>();
    table.time_unit = packed.get<std::string>();
    table.converted_from = packed.get<std::string>();
    table.has_dates = packed.get<bool>();
    table.time.resize(packed.get<std::size_t>());
    table.lines.resize(packed.get<std::size_t>());
    unpack_series(packed, table);
    for (auto n = packed.get<std::size_t>(); n > 0; --n) table.columns.push_back(column(packed, table.file));
    for (auto n = packed.get<std::size_t>(); n > 0; --n) {
      std::string name = packed.get<std::string>();
      table.inputs.push_back({std::move(name), std::make_shared<const DataTable>(unpack(packed))});
    }
    return table;
  }

  void receive(DataTable& table) {
    receive_values(table.time);
    receive_values(table.lines);
    for (Column& column : table.columns)
      std::visit(
          [&](auto& values) {
            if (!values.is_in_file()) values.change([&](auto& own) { receive_values(own); });
          },
          column.values);
    for (InputTable& input : table.inputs) {
      DataTable filled = *input.table;
      receive(filled);
      input.table = std::make_shared<const DataTable>(std::move(filled));
    }
  }

 private:
  static void unpack_series(UnpackedValues& packed, DataTable& table) {
    for (auto n = packed.get<std::size_t>(); n > 0; --n) {
      Series series{.name = packed.get<std::string>()};
      series.first_row = packed.get<std::size_t>();
      series.n_rows = packed.get<std::size_t>();
      series.file = packed.get<std::string>();
      table.series.push_back(std::move(series));
    }
  }

  Column column(UnpackedValues& packed, const std::string& file) {
    Column column{.name = packed.get<std::string>(), .values = {}};
    column.height = packed.get<std::size_t>();
    column.width = packed.get<std::size_t>();
    if (packed.get<std::size_t>() == 1) column.values = SharedValues<double>();
    std::visit([&](auto& values) { make_room(packed, file, values); }, column.values);
    return column;
  }

  template <class T>
  void make_room(UnpackedValues& packed, const std::string& file, SharedValues<T>& values) {
    const auto is_in_file = packed.get<bool>();
    const auto size = packed.get<std::size_t>();
    if (!is_in_file) {
      values = std::vector<T>(size);
      return;
    }
    const auto sent = packed.get<SentPlace>();
    std::shared_ptr<const MappedFile>& mapped = files_[file];
    if (!mapped) mapped = map_file(file, sent.file_size);
    values = SharedValues<T>(ValuesInFile{mapped, sent.offset, size, sent.n_missing, sent.has_infinite});
  }

  template <class Values>
  void send_values(const Values& values) {
    std::string piece;
    for (std::size_t first = 0; first < values.size(); first += kPiece) {
      piece.clear();
      for (std::size_t i = first; i < std::min(values.size(), first + kPiece); ++i) {
        const auto value = values[i];
        piece.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
      all_.broadcast(piece);
    }
  }

  template <class T>
  void receive_values(std::vector<T>& values) {
    std::string piece;
    for (std::size_t first = 0; first < values.size(); first += kPiece) {
      all_.broadcast(piece);
      require(piece.size() == std::min(values.size() - first, kPiece) * sizeof(T), "a piece of another size");
      std::memcpy(values.data() + first, piece.data(), piece.size());
    }
  }

  Communicator& all_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace

std::shared_ptr<const DataTable> read_in_first(
    const Execution& execution, const std::function<std::shared_ptr<const DataTable>()>& read) {
  if (execution.communicator == nullptr) return read();
  std::shared_ptr<const DataTable> table;
  const std::string bytes = in_all(execution, [&] {
    table = read();
    PackedValues packed;
    pack(*table, packed);
    return packed.take();
  });
  TableMessage message(*execution.communicator);
  if (is_first(execution)) {
    message.send(*table);
    return table;
  }
  UnpackedValues packed(bytes);
  auto received = std::make_shared<DataTable>(message.unpack(packed));
  message.receive(*received);
  return received;
}

}  // namespace greybox
