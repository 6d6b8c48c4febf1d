// Archives of arrays: round trips, every element type, order and byte order, and numpy itself.
#include "data/npz.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "data/raw_npz.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using Shape = std::vector<std::size_t>;
using Doubles = std::vector<double>;

class NpzTest : public test::ScratchFolder {
 protected:
  NpyArray read_one(const std::string& npy, zip_int32_t method = ZIP_CM_STORE) {
    test::write_zip(path("one.npz"), {{"a.npy", npy}}, method);
    return read_npz(path("one.npz")).at(0).second;
  }
};

TEST_F(NpzTest, RoundTripsEveryShapeAndType) {
  for (const Shape& shape :
       std::vector<Shape>{{}, {0}, {1}, {7}, {3, 5}, {2, 0, 3}, {2, 3, 5}, {3, 1, 7, 2}, {2, 2, 2, 2, 3}}) {
    const std::size_t n = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    std::vector<float> single(n);
    Doubles twofold(n);
    std::vector<std::int64_t> whole(n);
    for (std::size_t i = 0; i < n; ++i) {
      single[i] = 0.1f * static_cast<float>(i);
      twofold[i] = -0.1 * static_cast<double>(i);
      whole[i] = static_cast<std::int64_t>(i) << 40;
    }
    write_npz(path("a.npz"),
              std::vector<NamedArray>{
                  {"f", {shape, single}}, {"R.normD", {shape, twofold}}, {"é", {shape, whole}}});
    const auto arrays = read_npz(path("a.npz"));
    ASSERT_EQ(arrays.size(), 3u);
    EXPECT_EQ(arrays[0].first, "f");
    EXPECT_EQ(arrays[1].first, "R.normD");
    EXPECT_EQ(arrays[2].first, "é");
    for (const auto& [name, array] : arrays) {
      EXPECT_EQ(array.shape, shape);
      EXPECT_EQ(array.size(), n);
    }
    EXPECT_EQ(std::get<std::vector<float>>(arrays[0].second.values), single);
    EXPECT_EQ(std::get<Doubles>(arrays[1].second.values), twofold);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(arrays[2].second.values), whole);
  }
}

// Pieces of 64 KiB are decoded at a time: sizes around their border, stored and deflated.
TEST_F(NpzTest, ReadsArraysAroundThePieceSize) {
  for (const std::size_t n : {8191u, 8192u, 8193u, 16384u, 50001u}) {
    Doubles values(n);
    std::iota(values.begin(), values.end(), 0.5);
    for (const zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
      const NpyArray array = read_one(test::doubles_npy(fmt::format("({},)", n), values), method);
      EXPECT_EQ(array.to_doubles(), values);
    }
  }
}

TEST_F(NpzTest, WritesTheSameBytesEachTime) {
  const std::vector<NamedArray> arrays = {{"a", {{3}, Doubles{1, 2, 3}}}};
  write_npz(path("a.npz"), arrays);
  write_npz(path("b.npz"), arrays);
  EXPECT_EQ(bytes_of(path("a.npz")), bytes_of(path("b.npz")));
}

TEST_F(NpzTest, WritesFilesThatOthersMayRead) {
  write_npz(path("a.npz"), std::vector<NamedArray>{{"a", {{1}, Doubles{1}}}});
  struct stat written {
  }, usual{};
  ASSERT_EQ(::stat(path("a.npz").c_str(), &written), 0);
  ASSERT_EQ(::stat(write("b", "").c_str(), &usual), 0);
  EXPECT_EQ(written.st_mode, usual.st_mode);
}

TEST_F(NpzTest, WritesAnEmptyArchive) {
  write_npz(path("a.npz"), {});
  EXPECT_TRUE(read_npz(path("a.npz")).empty());
}

TEST_F(NpzTest, FailingToWriteKeepsWhatWasThere) {
  EXPECT_THROW(write_npz(path("none") / "a.npz", std::vector<NamedArray>{{"a", {{1}, Doubles{1}}}}),
               std::runtime_error);
  const auto file = write("a.npz", "before");
  const std::vector<NamedArray> twice = {{"a", {{1}, Doubles{1}}}, {"a", {{1}, Doubles{1}}}};
  EXPECT_THROW(write_npz(file, twice), std::runtime_error);
  EXPECT_EQ(bytes_of(file), "before");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

template <class T>
void expect_integers(const std::function<NpyArray(const std::string&)>& read, const std::string& type) {
  const std::vector<T> values = {0, 1, std::numeric_limits<T>::min(),
                                 static_cast<T>(std::numeric_limits<T>::max() / 2)};
  const NpyArray array = read(test::raw_npy(test::npy_header(type, "(4,)"), test::raw_bytes(values)));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(array.values),
            std::vector<std::int64_t>(values.begin(), values.end()))
      << type;
}

TEST_F(NpzTest, WidensIntegersAndBooleans) {
  const auto read = [&](const std::string& npy) { return read_one(npy); };
  expect_integers<std::int8_t>(read, "|i1");
  expect_integers<std::int16_t>(read, "<i2");
  expect_integers<std::int32_t>(read, "<i4");
  expect_integers<std::int64_t>(read, "<i8");
  expect_integers<std::uint8_t>(read, "|u1");
  expect_integers<std::uint16_t>(read, "<u2");
  expect_integers<std::uint32_t>(read, "<u4");
  expect_integers<std::uint64_t>(read, "<u8");
  EXPECT_EQ(read(test::raw_npy(test::npy_header("|b1", "(2,)"), std::string("\1\0", 2))).to_doubles(),
            (Doubles{1, 0}));
}

TEST_F(NpzTest, WidensHalfPrecision) {
  // One, smallest subnormal, largest, minus two, infinity, NaN, minus zero.
  const std::vector<std::uint16_t> bits = {0x3C00, 0x0001, 0x7BFF, 0xC000, 0x7C00, 0x7E00, 0x8000};
  const auto halves = std::get<std::vector<float>>(
      read_one(test::raw_npy(test::npy_header("<f2", "(7,)"), test::raw_bytes(bits))).values);
  EXPECT_EQ(halves[0], 1.0f);
  EXPECT_EQ(halves[1], 0x1p-24f);
  EXPECT_EQ(halves[2], 65504.0f);
  EXPECT_EQ(halves[3], -2.0f);
  EXPECT_TRUE(std::isinf(halves[4]));
  EXPECT_TRUE(std::isnan(halves[5]));
  EXPECT_TRUE(halves[6] == 0 && std::signbit(halves[6]));
}

TEST_F(NpzTest, TurnsBigEndianAndFortranOrder) {
  EXPECT_EQ(read_one(test::raw_npy(test::npy_header(">i4", "(1,)"), std::string("\0\0\1\2", 4))).to_doubles(),
            Doubles{258});
  const std::string fortran =
      test::raw_npy(test::npy_header("<f8", "(2, 3)", true), test::raw_bytes(Doubles{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(read_one(fortran).to_doubles(), (Doubles{1, 2, 3, 4, 5, 6}));
}

TEST_F(NpzTest, AcceptsHeadersOfOtherWriters) {
  const std::string data = test::raw_bytes(Doubles{1, 2});
  for (const std::string header : {"{'shape': (2,), 'descr': '<f8', 'fortran_order': False}",
                                   "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (2L,)}   \n",
                                   "{ 'descr' : 'f8' , 'fortran_order' : False , 'shape' : ( 2 , ) , }"}) {
    EXPECT_EQ(read_one(test::raw_npy(header, data)).to_doubles(), (Doubles{1, 2})) << header;
  }
  for (const char version : {'\2', '\3'}) {
    const std::string header = test::npy_header("<f8", "(2,)");
    std::string npy("\x93NUMPY", 6);
    npy += {version, '\0', static_cast<char>(header.size()), '\0', '\0', '\0'};
    EXPECT_EQ(read_one(npy + header + data).to_doubles(), (Doubles{1, 2}));
  }
}

TEST_F(NpzTest, ReadsTextOnlyWhereAllowed) {
  const std::u32string text = {U'A', 0, 0, U'é', U'𝄞', U'z'};
  const std::string npy =
      test::raw_npy(test::npy_header("<U3", "(2,)"), test::raw_bytes(std::vector(text.begin(), text.end())));
  test::write_zip(path("a.npz"), {{"series.npy", npy}});
  EXPECT_EQ(read_npz_file(path("a.npz")).entries[0].text, (std::vector<std::string>{"A", "é𝄞z"}));
  test::expect_refused([&] { read_npz(path("a.npz")); }, path("a.npz"), "array `series`", "text");
}

class NumpyTest : public test::ScratchFolder {
 protected:
  void SetUp() override {
    for (const char* candidate : {"python3", "/usr/bin/python3"}) {
      if (std::system((std::string(candidate) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
        python_ = candidate;
    }
    if (python_.empty()) GTEST_SKIP() << "python3 with numpy is not installed";
  }
  void run(const std::string& script) {
    write("script.py", "import numpy as np\n" + script);
    ASSERT_EQ(std::system(("cd '" + path("").string() + "' && " + python_ + " script.py").c_str()), 0);
  }

 private:
  std::string python_;
};

TEST_F(NumpyTest, ReadsWhatWeWrite) {
  const std::vector<NamedArray> arrays = {{"x", {{2, 3}, Doubles{1, 2, 3, 4, 5, 0.1}}},
                                          {"f.weight", {{3}, std::vector<float>{1, 2, 0.5f}}},
                                          {"n", {{}, std::vector<std::int64_t>{-7}}}};
  write_npz(path("a.npz"), arrays);
  write_npz(path("empty.npz"), {});
  run("a = np.load('a.npz')\n"
      "assert a.files == ['x', 'f.weight', 'n'], a.files\n"
      "assert a['x'].dtype == '<f8' and (a['x'] == [[1, 2, 3], [4, 5, 0.1]]).all()\n"
      "assert a['f.weight'].dtype == '<f4' and (a['f.weight'] == [1, 2, 0.5]).all()\n"
      "assert a['n'].shape == () and a['n'] == -7\n"
      "assert np.load('empty.npz').files == []\n");
}

TEST_F(NumpyTest, WritesWhatWeRead) {
  run("x = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5) / 8\n"
      "for name, save in ('stored', np.savez), ('packed', np.savez_compressed):\n"
      "  save(name + '.npz', c=x, fortran=np.asfortranarray(x), big=x.astype('>f8'), half=x.astype('f2'),\n"
      "       both=np.asfortranarray(x.astype('>f4')), whole=(8 * x).astype('>i2'))\n");
  for (const char* name : {"stored.npz", "packed.npz"}) {
    const auto arrays = read_npz(path(name));
    ASSERT_EQ(arrays.size(), 6u);
    for (const auto& [array_name, array] : arrays) {
      const double scale = array_name == "whole" ? 1 : 8;
      EXPECT_EQ(array.shape, (Shape{2, 3, 4, 5})) << array_name;
      const Doubles values = array.to_doubles();
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(scale * values[i], static_cast<double>(i)) << array_name;
    }
  }
}

}  // namespace
}  // namespace greybox
