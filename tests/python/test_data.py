"""Data of every kind, and what wrong data say."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xarray as xr

import greybox as gb
from conftest import PENDULUM


def windows(model, data, **options):
    return [vars(window) for window in model.dataset(data, **options).windows]


def as_polars(frame):
    return pl.DataFrame({name: frame[name].tolist() for name in frame})


def as_xarray(frame):
    return frame.set_index(["series", "time"]).to_xarray()


@pytest.mark.parametrize(
    "convert",
    [
        pl.from_pandas,
        lambda f: pl.from_pandas(f).lazy(),
        as_xarray,
        lambda f: {name: f[name].to_numpy() for name in f},
        lambda f: {name: f[name].tolist() for name in f},
        lambda f: f.set_index(["series", "time"]),
        lambda f: [part.drop(columns="series") for _, part in f.groupby("series")],
        lambda f: {str(name): part.drop(columns="series") for name, part in f.groupby("series")},
        lambda f: [pl.from_pandas(part) for _, part in f.groupby("series")],
        lambda f: f.assign(series=f["series"].astype("category")),
        lambda f: f.convert_dtypes(),
        lambda f: f.astype({"angle": object}),
        lambda f: gb.Table(f),
    ],
)
def test_every_kind_of_frame_gives_the_same_windows_and_bits(model, frame, run, convert):
    data = convert(frame)
    assert windows(model, data) == windows(model, frame)
    again = model.fit(data, seed=1, epochs=3, progress=False)
    expected = model.fit(frame, seed=1, epochs=3, progress=False)
    assert all(np.array_equal(again.weights[name], weights) for name, weights in expected.weights.items())


def test_a_file_is_read_as_the_model_says(model, frame, tmp_path):
    frame.to_csv(tmp_path / "swings.csv", index=False)
    assert windows(model, tmp_path / "swings.csv") == windows(model, frame)


@pytest.fixture(scope="module")
def daily():
    """Ten days of each of four ponds, with dates, categories and gaps."""
    days = pd.date_range("2024-03-01", periods=20, freq="D")
    frames = []
    for number, pond in enumerate(["north", "south", "east", "west"]):
        algae = (1 + number) * np.exp(-0.1 * np.arange(20))
        frames.append(pd.DataFrame({"pond": pond, "date": days, "algae": algae, "observer": "ann"}))
    frame = pd.concat(frames, ignore_index=True)
    frame.loc[[3, 25], "algae"] = np.nan
    return frame.astype({"pond": "category"})


POND = {
    "name": "pond",
    "data": {
        "series": "pond",
        "time": "date",
        "missing": "interpolate",
        "window": {"length": 5, "stride": 5},
        "split": {"train": 0.5, "validation": 0.25, "test": 0.25, "by": "series"},
    },
    "parameters": {"k": {"prior": "uniform", "low": 0, "high": 1, "unit": "1/day"}},
    "state": {"algae": "algae"},
    "theory": {"algae": "-k * algae"},
    "network": {"fD": {"inputs": ["algae", "k"], "hidden": [4], "outputs": ["algae"]}},
    "observe": {"algae": "algae"},
    "regularizers": {"normD": "mean(norm2(network))"},
    "train": {"epochs": 3},
}


def test_dates_are_counted_in_the_unit_asked_for(daily):
    model = gb.Model(POND)
    for unit, factor in (("day", 1), ("days", 1), ("h", 24), ("week", 1 / 7)):
        table = gb.Table(daily, series="pond", time="date", time_unit=unit)
        assert table.calendar.origin == np.datetime64("2024-03-01")
        numbers = table.calendar.numbers(np.array(["2024-03-03"], dtype="M8[ns]"))
        assert numbers == pytest.approx([2 * factor])
    found = model.dataset(daily, time_unit="day").windows
    assert found[1].start == np.datetime64("2024-03-06")
    assert {window.series for window in found} == {"north", "south", "east", "west"}


@pytest.mark.parametrize(
    "convert",
    [
        as_polars,
        lambda f: f.assign(date=f["date"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")),
        lambda f: f.assign(date=f["date"].dt.date),
        lambda f: as_polars(f).with_columns(pl.col("date").cast(pl.Date)),
        lambda f: {name: f[name] for name in f},
        lambda f: f.assign(date=f["date"].astype(str)),
        lambda f: f.assign(date=f["date"].dt.strftime("%Y-%m-%dT09:00:00+09:00").astype(object)),
        lambda f: {**f, "date": [one.tz_localize("UTC").tz_convert("Asia/Tokyo").to_pydatetime() for one in f["date"]]},
        lambda f: f.assign(date=f["date"].dt.to_period("D")),
    ],
)
@pytest.mark.filterwarnings("error::UserWarning")
def test_every_kind_of_date_is_understood(daily, convert):
    model = gb.Model(POND)
    assert windows(model, convert(daily), time_unit="day") == windows(model, daily, time_unit="day")


def test_an_index_of_dates_is_the_time(daily):
    one = daily[daily["pond"] == "north"].set_index("date")[["algae"]]
    one.index.name = None
    values = {**POND, "data": {"missing": "drop", "window": {"length": 5}}}
    dataset = gb.Model(values).dataset(one, time_unit="day")
    assert dataset.windows[0].start == np.datetime64("2024-03-01")
    assert dataset.n_dropped_rows == 1


def test_lengths_of_time_are_times(daily):
    since = daily.assign(date=daily["date"] - daily["date"].min())
    dataset = gb.Model(POND).dataset(since, time_unit="day")
    assert dataset.windows[1].start == 5


def test_a_run_on_dates_answers_in_dates(daily, tmp_path):
    run = gb.Model(POND).fit(daily, time_unit="day", seed=1, progress=False)
    later = daily.assign(date=daily["date"] + pd.Timedelta(days=30))
    run.save(tmp_path / "run")
    for one in (run, gb.open(tmp_path / "run")):
        prediction = one.predict(later, theta={"k": 0.1})
        assert prediction.windows[0].start == np.datetime64("2024-03-31")
        assert prediction.to_pandas()["time"].iloc[0] == pd.Timestamp("2024-04-01")
        assert prediction.to_xarray()["time"].dtype.kind == "M"
        assert one.predict(theta={"k": 0.1}, on=("north", "2024-03-06")).windows[0].series == "north"
        with pytest.raises(gb.InputError, match="trained on dates"):
            one.predict(later.assign(date=np.tile(np.arange(20.0), 4)), theta={"k": 0.1})


def test_fields_come_as_arrays_and_as_xarray():
    rng = np.random.default_rng(1)
    u = rng.standard_normal((3, 4, 5, 6)).astype(np.float32)
    values = {
        "name": "field",
        "grid": {"height": 5, "width": 6},
        "parameters": {"k": {"prior": "uniform", "low": 0, "high": 1}},
        "state": {"u": "u"},
        "theory": {"u": "-k * u"},
        "network": {"fD": {"kind": "conv2d", "inputs": ["u"], "channels": [2], "outputs": ["u"]}},
        "observe": {"u": "u"},
        "train": {"epochs": 1},
    }
    model = gb.Model(values)
    flat = {"series": np.repeat([0, 1, 2], 4), "time": np.tile([0.0, 0.1, 0.2, 0.3], 3), "u": u.reshape(12, 5, 6)}
    dataset = xr.Dataset(
        {"u": (("series", "time", "y", "x"), u)}, {"time": [0.0, 0.1, 0.2, 0.3], "x": np.arange(6), "y": np.arange(5)}
    )
    first, second = (model.fit(data, seed=0, progress=False) for data in (flat, dataset))
    assert all(np.array_equal(first.weights[name], second.weights[name]) for name in first.weights)
    prediction = first.predict(theta={"k": 0.5})
    assert prediction["u"].shape == (3, 3, 5, 6)
    assert prediction.to_xarray()["u"].dims == ("window", "step", "y", "x")
    assert np.array_equal(prediction.data["u"][1, 0], u[1, 1])


def test_fields_of_one_row():
    u = np.random.default_rng(1).standard_normal((12, 6))
    model = gb.Model(
        {
            "name": "line",
            "grid": {"width": 6, "spacing": 0.2},
            "parameters": {"k": {"prior": "uniform", "low": 0, "high": 1}},
            "inputs": {"push": "force * x"},
            "state": {"u": "u"},
            "theory": {"u": "-k * u + push"},
            "network": {"fD": {"kind": "conv1d", "inputs": ["u", "x"], "channels": [2], "outputs": ["u"]}},
            "observe": {"u": "u"},
            "train": {"epochs": 1},
        }
    )
    data = {"series": np.repeat([0, 1, 2], 4), "time": np.tile([0.0, 0.1, 0.2, 0.3], 3), "u": u, "force": u[:, 0]}
    run = model.fit(data, seed=0, progress=False)
    assert run.weights["fD.0.weight"].shape == (2, 2, 3)
    prediction = run.predict(theta={"k": 0.5})
    assert prediction["u"].shape == (3, 3, 6)
    assert prediction.to_xarray()["u"].dims == ("window", "step", "x")
    assert np.array_equal(prediction.data["u"][1, 0], u[5])


@pytest.mark.parametrize(
    ("change", "options", "expected"),
    [
        (lambda f: 3, {}, "int is no table"),
        (lambda f: {}, {}, "no columns"),
        (lambda f: f.iloc[:0], {}, "no rows"),
        (lambda f: {"angle": [1.0], "velocity": [1.0, 2.0]}, {}, "differ in length: `angle` has 1, `velocity` has 2"),
        (lambda f: {"angle": np.zeros((2, 2, 2, 2))}, {}, "column `angle`: error: the array has 4 axes"),
        (lambda f: f.rename(columns={"angle": "angel"}), {}, "did you mean `angel`"),
        (lambda f: f.astype({"angle": str}).replace({"angle": {"0.3": "n/a"}}), {}, "column `angle` holds text"),
        (lambda f: {"angle": ["high", "low"]}, {}, "`angle` holds text .`high` in row 1"),
        (lambda f: f.assign(time="noon"), {}, "row 1, column `time`: error: `noon` is neither a number nor a date"),
        (lambda f: f.assign(series=[None, *f["series"][1:]]), {}, "row 1, column `series`"),
        (lambda f: f.assign(time=f["time"].to_numpy()[::-1].copy()), {}, "time"),
        (lambda f: [f, f.drop(columns="angle")], {}, "`angle` is not in every frame"),
        (lambda f: f.assign(velocity=1j), {}, "column `velocity`: error: values of type complex"),
        (lambda f: pd.concat([f, f["angle"]], axis=1), {}, "`angle` is there twice"),
        (lambda f: f, {"time_unit": "day"}, "are no dates"),
        (lambda f: f, {"time_unit": "fortnight"}, "no unit of time"),
        (lambda f: f.assign(time=pd.Timestamp("2024-01-01") + pd.to_timedelta(f["time"], "s")), {}, 'time_unit="s"'),
        (lambda f: f.rename(columns={"time": "when"}).assign(when=pd.Timestamp(0)), {}, r'write `time = "when"` into'),
        (lambda f: f.assign(angle=np.nan), {}, "missing"),
        (lambda f: f.assign(angle=np.inf), {}, "infinite"),
        (lambda f: "nowhere.csv", {}, "nowhere.csv"),
    ],
)
def test_wrong_data_say_what_is_wrong(frame, change, options, expected):
    with pytest.raises(gb.InputError, match=expected):
        gb.Model(PENDULUM).fit(change(frame), progress=False, **options)


def test_a_table_shows_itself(frame):
    table = gb.Table(frame)
    assert repr(table) == "<greybox.Table: 320 rows of angle, velocity>"
    assert len(table) == 320


def test_wrong_arguments_of_a_table_are_named():
    with pytest.raises(gb.InputError, match="argument `series`: error: `3` is no name of a column"):
        gb.Table({"x": [1, 2]}, series=3)
    days = {"time": np.array(["2024-01-01", "2024-01-02"], "M8[D]"), "x": [1, 2]}
    with pytest.raises(gb.InputError, match="argument `origin`: error: `yesterday` is no date"):
        gb.Table(days, time_unit="day", origin="yesterday")
    assert gb.Table(days, time_unit="day", origin="2023-12-31").calendar.origin == np.datetime64("2023-12-31")


def test_missing_values_in_lists_are_gaps():
    assert gb.Table({"x": [1.0, None, 3.0]}).columns == ["x"]


def test_tables_and_datasets_copy_and_say_that_they_do_not_pickle(model, frame):
    table = gb.Table(frame)
    copied = copy.deepcopy(table)
    copied.input("wind", {"time": [0.0, 1.0], "wind": [1.0, 2.0]})
    assert windows(model, table) == windows(model, frame)
    assert len(copied) == len(table)
    dataset = model.dataset(frame)
    assert len(copy.deepcopy(dataset)) == len(dataset)
    for one in (table, dataset):
        with pytest.raises(TypeError, match="does not pickle: send .* or a run"):
            pickle.dumps(one)
