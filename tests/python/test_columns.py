"""Frames as people have them: a table in memory is read as the same table in a file."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xarray as xr

import greybox as gb
from conftest import PENDULUM


def windows(model, data, **options):
    return [vars(window) for window in model.dataset(data, **options).windows]


def with_data(**keys):
    return gb.Model({**PENDULUM, "data": {**PENDULUM["data"], **keys}})


KINDS = {
    "pandas": lambda f: f,
    "polars": lambda f: pl.DataFrame({name: f[name].tolist() for name in f}),
    "dictionary": lambda f: {name: f[name].to_numpy() for name in f},
    "list of frames": lambda f: [part.drop(columns="series") for _, part in f.groupby("series")],
    "index": lambda f: f.set_index(f.columns[1]),
    "levels of the index": lambda f: f.set_index(list(f.columns[:2])),
    "xarray": lambda f: f.set_index(list(f.columns[:2])).to_xarray(),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["Time", "t", "timestamp", "time [s]", "Hours"])
def test_the_time_is_found_by_its_usual_names(model, frame, tmp_path, kind, name):
    named = frame.rename(columns={"time": name})
    named.to_csv(tmp_path / "swings.csv", index=False)
    from_file = windows(model, tmp_path / "swings.csv")
    assert from_file == windows(model, frame)
    assert windows(model, KINDS[kind](named)) == from_file


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_counted_when_the_model_says_so(frame, tmp_path, kind):
    frame.to_csv(tmp_path / "swings.csv", index=False)
    counting = with_data(time="none")
    found = windows(counting, KINDS[kind](frame))
    assert found == windows(counting, tmp_path / "swings.csv")
    assert found[1]["start"] == 1


def test_names_that_are_not_the_time(frame):
    kelvin = frame.rename(columns={"time": "T"})
    assert windows(gb.Model(PENDULUM), kelvin)[1]["start"] == 1, "T is a temperature"
    with pytest.raises(gb.InputError, match="several columns could be the time: `t`, `Time`"):
        gb.Model(PENDULUM).dataset(frame.rename(columns={"time": "t"}).assign(Time=0.0))
    with pytest.raises(gb.InputError, match="data: error: there is no column `tme`\n.*did you mean `time`"):
        with_data(time="tme").dataset(frame)


def test_an_algebraic_model_has_no_time_but_a_column_of_that_name(toy_frame):
    days = toy_frame.assign(day=1.0, when=pd.Timestamp("2024-01-01"))
    assert len(gb.example("toy").dataset(days)) == 90


def test_columns_are_renamed_as_in_a_file(frame, tmp_path):
    model = with_data(rename={"angle": "angle [rad]"})
    named = frame.rename(columns={"angle": "angle [rad]"})
    named.to_csv(tmp_path / "swings.csv", index=False)
    expected = windows(model, tmp_path / "swings.csv")
    assert windows(model, named) == windows(model, frame) == expected
    with pytest.raises(gb.InputError, match=r"no column `angle \[rad\]`, which \[data.rename\] calls `angle`"):
        model.dataset(frame.rename(columns={"angle": "angle [r]"}))


@pytest.mark.parametrize("kind", ["pandas", "polars", "dictionary"])
def test_words_for_missing_values_count_in_frames(frame, tmp_path, kind):
    model = with_data(missing="drop", missing_words=["-9999", "?"])
    gaps = frame.copy()
    gaps.loc[3, "angle"] = -9999
    gaps["velocity"] = [f"{value}" if row != 7 else "?" for row, value in enumerate(frame["velocity"])]
    gaps.to_csv(tmp_path / "swings.csv", index=False)
    from_file = model.dataset(tmp_path / "swings.csv")
    assert from_file.n_dropped_rows == 2
    assert model.dataset(KINDS[kind](gaps)).n_dropped_rows == 2
    assert windows(model, KINDS[kind](gaps)) == [vars(window) for window in from_file.windows]


@pytest.mark.parametrize("kind", ["pandas", "polars", "dictionary"])
def test_one_value_per_row_becomes_one_column_per_variable(frame, tmp_path, kind):
    model = with_data(long={"variable": "what", "value": "value"})
    long = frame.melt(["series", "time"], var_name="what").sample(frac=1, random_state=0)
    long.to_csv(tmp_path / "swings.csv", index=False)
    from_file = model.fit(tmp_path / "swings.csv", epochs=2, progress=False)
    run = model.fit(KINDS[kind](long), epochs=2, progress=False)
    assert all(np.array_equal(run.weights[name], weights) for name, weights in from_file.weights.items())
    with pytest.raises(gb.InputError, match="row 641: error: a second value of `.*` at this time"):
        model.dataset(pd.concat([long, long.iloc[:1]]))


def test_the_unit_of_time_stands_in_the_model_or_the_call(frame):
    dated = frame.assign(time=pd.Timestamp("2024-03-01") + pd.to_timedelta(frame["time"], "h"))
    model = with_data(time_unit="hours", window={"length": "15 minutes"})
    assert windows(model, dated) == windows(model, dated, time_unit="h")
    assert {one["n_snapshots"] for one in windows(model, frame)} == {6}, "numbers are of that unit too"
    with pytest.raises(gb.InputError, match="argument `time_unit`: error: the model counts time in hours"):
        model.dataset(dated, time_unit="day")
    with pytest.raises(gb.InputError, match="for frames and arrays alone"):
        model.dataset("swings.csv", time_unit="h")


def a_persons_frame():
    """Dates, categories as names, gaps in nullable columns, text beside them."""
    days = pd.date_range("2024-03-01", periods=12, freq="D", tz="Europe/Berlin")
    frame = pd.DataFrame(
        {
            "Pond": pd.Categorical(
                np.repeat(["north", "south", "east", "west"], 12), ["west", "south", "north", "east"]
            ),
            "Date": np.tile(days, 4),
            "algae": pd.array(np.tile(np.exp(-0.1 * np.arange(12)), 4), dtype="Float64"),
            "count": pd.array(np.tile(np.arange(12), 4), dtype="Int64"),
            "observer": pd.array(["ann"] * 48, dtype="string"),
            "sunny": pd.array([True, None] * 24, dtype="boolean"),
        }
    )
    frame.loc[[3, 17], ["algae", "count"]] = pd.NA
    return frame


POND = {
    "name": "pond",
    "data": {
        "series": "Pond",
        "window": {"length": 5},
        "split": {"train": 0.5, "validation": 0.25, "test": 0.25, "by": "series"},
    },
    "parameters": {"k": {"prior": "uniform", "low": 0, "high": 1}},
    "state": {"algae": "algae"},
    "theory": {"algae": "-k * algae"},
    "network": {"fD": {"inputs": ["algae", "k"], "hidden": [4], "outputs": ["algae"]}},
    "observe": {"algae": "algae"},
    "regularizers": {"normD": "mean(norm2(network))"},
    "train": {"epochs": 2},
}


def test_a_persons_frame_with_dates_categories_and_gaps():
    frame, model = a_persons_frame(), gb.Model(POND)
    dataset = model.dataset(frame, time_unit="day")
    assert {one.series for one in dataset.windows} == {"north", "south", "east", "west"}
    assert len(dataset) == 4 * 8 - 2, "no window starts at a gap"
    assert dataset.windows[0].start == np.datetime64("2024-02-29T23:00")
    plain = frame.astype({"algae": float, "Pond": str})
    assert windows(model, plain, time_unit="day") == windows(model, frame, time_unit="day")
    levels = frame.set_index(["Pond", "Date"])
    assert windows(model, levels, time_unit="day") == windows(model, frame, time_unit="day")
    run = model.fit(frame, time_unit="day", progress=False)
    assert run.predict(theta={"k": 0.1}, on=("south", "2024-03-02T23:00")).windows[0].series == "south"


def test_a_repeated_time_is_a_step_of_an_input():
    frame = a_persons_frame().assign(food=1.0)
    twice = pd.concat([frame.iloc[:3], frame.iloc[2:]])
    fed = {**POND, "inputs": {"food": "food"}, "theory": {"algae": "-k * algae + food"}}
    assert len(gb.Model(fed).dataset(twice, time_unit="day")) > 0
    with pytest.raises(gb.InputError, match="stands in row 3 too"):
        gb.Model(POND).dataset(twice, time_unit="day")


def test_masked_values_are_missing(frame):
    masked = {name: frame[name].to_numpy() for name in frame}
    masked["angle"] = np.ma.masked_greater(masked["angle"], 1.0)
    gaps = frame.assign(angle=frame["angle"].where(frame["angle"] <= 1.0))
    model = gb.Model(PENDULUM)
    assert windows(model, masked) == windows(model, gaps) != windows(model, frame)


def test_a_structured_array_is_a_table(frame):
    assert windows(gb.Model(PENDULUM), frame.to_records(index=False)) == windows(gb.Model(PENDULUM), frame)


def test_series_may_be_called_by_dates():
    frame = a_persons_frame()
    frame["Pond"] = np.repeat(pd.date_range("2024-01-01", periods=4), 12)
    names = {one.series for one in gb.Model(POND).dataset(frame, time_unit="day").windows}
    assert names == {"2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda f: pd.concat([f, f["algae"]], axis=1), "the column `algae` is there twice"),
        (lambda f: pd.concat({"lake": f}, axis=1), "the names of the columns have 2 levels"),
        (lambda f: f.set_index(["Pond", "Date"]).rename_axis([None, None]), "levels of the index have no name"),
        (lambda f: f.assign(Date=f["Date"].where(f.index != 2)), "row 3, column `Date`: error: a time is needed"),
        (
            lambda f: f.assign(Pond=f["Pond"].where(f.index != 4)),
            "row 5, column `Pond`: error: every row needs the name",
        ),
        (lambda f: f.rename(columns={"Date": "sampled"}), "`sampled` holds dates, but no column is the time"),
        (lambda f: f.rename(columns={"Date": "sampled"}).astype({"sampled": str}), "`sampled` holds dates, but"),
        (lambda f: f.drop(columns="Date").set_index(np.arange(48) / 10), "the index holds numbers and has no name"),
        (lambda f: f.rename(columns={"algae": "weeds"}), "no column `algae`|unknown name `algae`"),
        (lambda f: f.assign(algae=f["observer"]), "`algae` holds text .`ann` in row 1"),
        (lambda f: f.assign(algae=f["Date"]), "`algae` holds dates"),
        (
            lambda f: f[::-1],
            "row 2, column `Date`: error: 2024-03-10T23:00.* of series `west` comes after 2024-03-11T23:00",
        ),
        (lambda f: f[::-1], r'and so in 43 more rows\n.*`frame.sort_values\(\["Pond", "Date"\]\)`'),
        (
            lambda f: pd.concat([f.iloc[:3], f.iloc[2:]]),
            r"row 4, column `Date`: error: 2024-03-02T23:00.* of series `north` stands in row 3 too\n.*drop_duplicates",
        ),
        (lambda f: f.assign(Date=f["Date"].dt.strftime("%d.%m.%Y")), '`01.03.2024` is neither .*\n.*format="%d.%m.%Y"'),
        (lambda f: f.to_dict("records"), "a dictionary per row\n.*pd.DataFrame"),
        (lambda f: f.groupby("Pond", observed=True), "DataFrameGroupBy is no table"),
    ],
)
def test_what_is_wrong_with_a_frame_is_said(change, expected):
    with pytest.raises(gb.InputError, match=expected):
        gb.Model(POND).fit(change(a_persons_frame()), time_unit="day", progress=False)


def test_a_time_that_is_missing_is_said(frame):
    with pytest.raises(gb.InputError, match="data, row 3, column `time`: error: a time is needed in every row"):
        gb.Model(PENDULUM).dataset(frame.assign(time=frame["time"].where(frame.index != 2)))


def test_dimensions_that_are_not_named_are_asked_for(frame):
    cube = xr.Dataset({"angle": (("a", "b"), np.zeros((2, 3)))})
    with pytest.raises(gb.InputError, match="of the dimensions a, b none is called `time`"):
        gb.Model(PENDULUM).dataset(cube)
