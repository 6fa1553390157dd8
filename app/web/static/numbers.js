/* Draws each chart of the page of numbers from the table below it. The tables hold the same numbers without it. */
"use strict";

(() => {
  const DASHES = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 5]];  // Distinct even without colours.
  const BORDERS = ["solid", "dashed", "dotted", "double", "dotted"];
  const COLOURS = ["--accent", "--ink", "--warn", "--good", "--bad"];
  const HEIGHT = 150;
  const drawn = [];

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const scaled = (table, value) => {
    if (table.dataset.form === "share") return `${Math.round(value * 100)} %`;
    if (table.dataset.unit === "cents") return value >= 100 ? `$${value / 100}` : `${+value.toPrecision(3)} ¢`;
    if (table.dataset.unit === "seconds") return `${+value.toPrecision(3)} s`;
    if (table.dataset.unit === "milliseconds") return value >= 1000 ? `${value / 1000} s` : `${+value.toPrecision(3)} ms`;
    return value >= 10000 ? `${value / 1000}k` : `${+value.toPrecision(3)}`;
  };

  const read = (table) => {
    const rows = [...table.tBodies[0].rows];
    const lines = [...table.tHead.rows[0].cells].filter((cell) => "line" in cell.dataset);
    return {
      rows,
      lines,
      data: [
        rows.map((_, place) => place),
        ...lines.map((line) => rows.map((row) => {
          const value = row.cells[line.cellIndex].dataset.value;
          return value === undefined ? null : Number(value);
        })),
      ],
    };
  };

  const draw = (plot) => {
    const table = plot.closest(".chart").querySelector("table");
    const { rows, lines, data } = read(table);
    const ticks = rows.flatMap((row, place) => row.cells[0].dataset.tick ? [place] : []);
    const font = "12px system-ui, sans-serif";
    const axis = {
      stroke: colour("--ink-soft"),
      font,
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
    };
    const options = {
      width: plot.clientWidth,
      height: HEIGHT,
      padding: [8, 20, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: "numbers" }, points: { size: 6 } },
      legend: { isolate: false, markers: { width: 2, dash: (_, place) => BORDERS[(place - 1) % BORDERS.length] } },
      scales: {
        x: { time: false, range: (_, least, most) => [least - 0.5, most + 0.5] },
        y: { range: (_, least, most) => [0, table.dataset.form === "share" ? 1 : (most || 1) * 1.08] },
      },
      axes: [
        {
          ...axis,
          size: 24,
          grid: { show: false },
          splits: () => ticks,
          values: (_, places) => places.map((place) => rows[place].cells[0].dataset.tick),
        },
        {
          ...axis,
          ...(table.dataset.form === "counts" ? { incrs: [1, 2, 5].flatMap((step) => [1, 10, 100, 1e3, 1e4, 1e5].map((by) => step * by)).sort((a, b) => a - b) } : {}),
          size: 52,
          space: 36, values: (_, values) => values.map((value) => scaled(table, value)),
        },
      ],
      series: [
        {
          label: table.tHead.rows[0].cells[0].textContent,
          value: (_, place) => place === null ? "" : rows[place].cells[0].textContent,
        },
        ...lines.map((line, place) => ({
          label: line.textContent,
          stroke: colour(COLOURS[place % COLOURS.length]),
          width: 1.75,
          dash: DASHES[place % DASHES.length],
          points: { size: 5, filter: () => alone(data[place + 1]) },
          value: (_, value, __, at) => at === null || value === null ? "" : rows[at].cells[line.cellIndex].textContent,
        })),
      ],
    };
    drawn.push({ plot, chart: new uPlot(options, data, plot) });
  };

  /* Indexes of values without known neighbours: no line leads to them. */
  const alone = (values) => values.flatMap((value, place) => {
    const has = (other) => values[other] !== null && values[other] !== undefined;
    return value !== null && !has(place - 1) && !has(place + 1) ? [place] : [];
  });

  const drawAll = () => {
    for (const { chart } of drawn.splice(0)) chart.destroy();
    for (const plot of document.querySelectorAll(".plot")) {
      plot.hidden = false;
      draw(plot);
    }
  };

  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  new ResizeObserver(() => {
    for (const { plot, chart } of drawn) {
      if (plot.clientWidth && plot.clientWidth !== chart.width) chart.setSize({ width: plot.clientWidth, height: HEIGHT });
    }
  }).observe(document.querySelector(".charts"));
})();
