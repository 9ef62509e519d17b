// Report.js - draws the page of npu-run --report from its data, which is what report.json and the CSV files say.
// Cells of tables are shown as they are. Names come from models: they become text, never HTML.
'use strict';

window.addEventListener('error', event => {
  document.getElementById('errors').textContent += event.message + '\n';
});

const data = JSON.parse(document.getElementById('data').textContent);
const get = id => document.getElementById(id);
const engineColours = {mxu: '#c2410c', vpu: '#15803d', dmai: '#1d4ed8', dmao: '#7e22ce', ctl: '#57534e'};
const colourOf = number => `hsl(${(number * 137) % 360} 55% 62%)`;

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------------------------------------------------

/// The cell of a column, by the column's name.
const cell = (table, row, name) => row[table.columns.indexOf(name)];

/// The class of a cell that says whether things are well.
function getMark(column, text) {
  if (column.includes('check') || column === 'expected')
    return ['mismatch', 'inconclusive'].find(word => text.includes(word)) ?? '';
  if (column.endsWith('_ratio') && text !== '')
    return Number(text) > 1.005 ? 'worse' : Number(text) < 0.995 ? 'better' : '';
  return '';
}

function makeRow(table, row) {
  const line = make('tr');
  row.forEach((text, number) => {
    const kind = table.isText[number] ? 'text' : '';
    line.append(make('td', {className: `${kind} ${getMark(table.columns[number], text)}`.trim(), title: kind && text}, text));
  });
  return line;
}

/// Fills `element`; a click on a header sorts, `choose` is called with the number of a row that is clicked.
function showTable(element, table, choose) {
  const body = make('tbody');
  const lines = table.rows.map((row, number) => {
    const line = makeRow(table, row);
    if (choose)
      line.addEventListener('click', () => choose(number));
    return line;
  });
  const order = table.rows.map((row, number) => number);
  let sorted = -1, direction = 1;
  const header = make('tr');
  table.columns.forEach((name, column) => {
    const head = make('th', {className: table.isText[column] ? 'text' : ''}, name);
    head.addEventListener('click', () => {
      direction = sorted === column ? -direction : 1;
      sorted = column;
      order.sort((a, b) => compareCells(table.rows[a][column], table.rows[b][column], direction) || a - b);
      body.append(...order.map(number => lines[number]));
    });
    header.append(head);
  });
  body.append(...lines);
  element.replaceChildren(make('thead', {}, header), body);
  if (table.totals.length)
    element.append(make('tfoot', {}, makeRow(table, table.totals)));
  return lines;
}

/// Numbers by size, words by name; empty cells are last in either direction.
function compareCells(a, b, direction) {
  if (a === '' || b === '')
    return (a === '') - (b === '');
  const x = Number(a), y = Number(b);
  const result = isNaN(x) || isNaN(y) ? (a < b ? -1 : a > b ? 1 : 0) : x - y;
  return direction * result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Charts over time: a canvas whose horizontal axis can be zoomed and moved
// ---------------------------------------------------------------------------------------------------------------------

const margin = 110;

class Chart {
  /// `find(time, y)` gives what is there: {text, record}, or nothing.
  constructor(canvas, height) {
    this.canvas = canvas;
    this.height = height;
    this.find = () => null;
    this.draw = () => {};
    canvas.style.height = `${height}px`;
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.getTime(event.offsetX));
    }, {passive: false});
    canvas.addEventListener('pointerdown', event => {
      this.grip = {x: event.offsetX, begin: this.begin, end: this.end, moved: false};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => this.grip ? this.drag(event) : this.point(event));
    canvas.addEventListener('pointerup', event => {
      const wasMoved = !this.grip || this.grip.moved;
      this.grip = null;
      const found = wasMoved ? null : this.find(this.getTime(event.offsetX), event.offsetY);
      if (found && found.record !== undefined)
        select(found.record);
    });
    canvas.addEventListener('pointerleave', () => { get('tooltip').hidden = true; });
    canvas.addEventListener('dblclick', () => this.show(0, this.length));
    canvas.addEventListener('keydown', event => {
      const step = (this.end - this.begin) / 10;
      const actions = {
        ArrowLeft: () => this.show(this.begin - step, this.end - step),
        ArrowRight: () => this.show(this.begin + step, this.end + step),
        '+': () => this.zoom(0.8, (this.begin + this.end) / 2),
        '-': () => this.zoom(1.25, (this.begin + this.end) / 2),
        Home: () => this.show(0, this.length),
      };
      if (actions[event.key]) {
        event.preventDefault();
        actions[event.key]();
      }
    });
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  /// What there is to see: [0, length), in `unit`.
  setLength(length, unit) {
    this.length = Math.max(length, 1);
    this.unit = unit;
    this.show(0, this.length);
  }
  getWidth() { return this.canvas.clientWidth - margin; }
  getTime(x) { return this.begin + (x - margin) * (this.end - this.begin) / this.getWidth(); }
  getX(time) { return margin + (time - this.begin) * this.getWidth() / (this.end - this.begin); }

  zoom(factor, time) {
    this.show(time - (time - this.begin) * factor, time + (this.end - time) * factor);
  }
  show(begin, end) {
    const span = Math.min(Math.max(end - begin, 10), this.length);
    this.begin = Math.min(Math.max(begin, 0), this.length - span);
    this.end = this.begin + span;
    this.redraw();
  }
  drag(event) {
    const by = (this.grip.x - event.offsetX) * (this.grip.end - this.grip.begin) / this.getWidth();
    this.grip.moved ||= Math.abs(event.offsetX - this.grip.x) > 3;
    this.show(this.grip.begin + by, this.grip.end + by);
  }
  point(event) {
    const found = event.offsetX < margin ? null : this.find(this.getTime(event.offsetX), event.offsetY);
    const tooltip = get('tooltip');
    tooltip.hidden = !found;
    if (!found)
      return;
    tooltip.textContent = found.text;
    tooltip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 340)}px`;
    tooltip.style.top = `${event.clientY + 14}px`;
  }

  redraw() {
    if (this.end === undefined || this.canvas.clientWidth === 0)
      return;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = this.canvas.clientWidth * scale;
    this.canvas.height = this.height * scale;
    const context = this.canvas.getContext('2d');
    context.scale(scale, scale);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(margin, 0, this.getWidth(), this.height);
    context.clip();
    this.drawAxis(context);
    this.draw(context);
    context.restore();
    if (this.drawLabels)
      this.drawLabels(context);
  }
  drawAxis(context) {
    const raw = (this.end - this.begin) / 8, power = 10 ** Math.floor(Math.log10(raw));
    const step = Math.max(1, [1, 2, 5, 10].map(n => n * power).find(n => n >= raw));
    for (let time = Math.ceil(this.begin / step) * step; time <= this.end; time += step) {
      const x = this.getX(time);
      context.fillStyle = '#eceef1';
      context.fillRect(x, 0, 1, this.height - 16);
      context.fillStyle = '#5c6570';
      context.fillText(`${time.toLocaleString('en')} ${this.unit}`, x + 3, this.height - 8);
    }
  }
  /// A bar of at least half a pixel, unless it is out of sight.
  fill(context, begin, end, y, height) {
    if (end < this.begin || begin > this.end)
      return false;
    const x = Math.max(this.getX(begin), margin - 2), right = Math.min(this.getX(end), margin + this.getWidth() + 2);
    context.fillRect(x, y, Math.max(right - x, 0.5), height);
    return true;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatches
// ---------------------------------------------------------------------------------------------------------------------

const dispatches = data.dispatches;
const describe = record => `#${cell(dispatches, dispatches.rows[record], 'dispatch')} ` +
    (cell(dispatches, dispatches.rows[record], 'names') || cell(dispatches, dispatches.rows[record], 'op'));
let dispatchLines = [], selected = -1;

/// Marks a dispatch everywhere, and lists all that is known of it.
function select(record) {
  dispatchLines[selected]?.classList.remove('selected');
  selected = record;
  dispatchLines[record].classList.add('selected');
  const list = make('dl');
  dispatches.columns.forEach((name, number) => {
    if (dispatches.rows[record][number] !== '')
      list.append(make('dt', {}, name), make('dd', {}, dispatches.rows[record][number]));
  });
  get('detail').replaceChildren(make('strong', {}, describe(record)), list);
  get('detail').hidden = false;
  timeline.redraw();
  memory.redraw();
}

/// The table with some columns before the others.
function putFirst(table, names) {
  const order = names.map(name => table.columns.indexOf(name));
  table.columns.forEach((name, number) => order.includes(number) || order.push(number));
  const arrange = row => order.map(number => row[number]);
  return {columns: arrange(table.columns), isText: arrange(table.isText), rows: table.rows.map(arrange),
    totals: table.totals.length ? arrange(table.totals) : []};
}

function showDispatches() {
  dispatchLines = showTable(get('dispatch-table'), putFirst(dispatches, ['dispatch', 'names', 'op']), select);
  const numAll = Number(cell(data.summary, data.summary.rows[0], 'dispatches'));
  if (dispatches.rows.length < numAll)
    get('dispatch-hint').textContent = `The first ${dispatches.rows.length} of ${numAll} dispatches, here and above; per-dispatch.csv has all of them.`;
  get('filter').addEventListener('input', event => {
    const wanted = event.target.value.toLowerCase();
    dispatches.rows.forEach((row, number) => {
      dispatchLines[number].hidden = !row.some(text => text.toLowerCase().includes(wanted));
    });
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Timeline
// ---------------------------------------------------------------------------------------------------------------------

/// Gives every timeline its intervals as [begin, end, busy], in cycles of the launch.
function decodeTimelines() {
  for (const program of data.programs)
    for (const part of program.parts)
      for (const timeline of part.timelines) {
        const decoded = [];
        let time = 0;
        for (let i = 0; i < timeline.intervals.length; i += 3) {
          const [pause, length, busy] = timeline.intervals.slice(i, i + 3);
          decoded.push([time + pause, time + pause + length, busy]);
          time += pause + length;
        }
        timeline.decoded = decoded;
      }
}

/// The rows of the timeline: dispatches, then the engines of every cluster.
function getTracks() {
  const names = ['dispatches'];
  for (let cluster = 0; cluster < data.target.clusters; ++cluster)
    for (const engine of ['dmai', 'mxu', 'vpu', 'dmao', 'ctl']) {
      const isUsed = data.programs.some(program => program.parts.some(
          part => part.timelines.some(line => line.cluster === cluster && line.engine === engine)));
      if (isUsed)
        names.push(data.target.clusters > 1 ? `${cluster} ${engine}` : engine);
    }
  return names;
}
const getTrack = line => data.target.clusters > 1 ? `${line.cluster} ${line.engine}` : line.engine;

let timeline, memory;

function showTimeline() {
  decodeTimelines();
  const tracks = getTracks(), rowHeight = 26;
  const rowOf = new Map(tracks.map((name, number) => [name, number * rowHeight + 2]));
  timeline = new Chart(get('timeline-chart'), tracks.length * rowHeight + 20);
  const forEachPart = visit => {
    for (const [number, first, start] of data.launches)
      data.programs[number].parts.forEach((part, index) => {
        if (part.end > part.start)
          visit(part, first + index, start);
      });
  };
  timeline.draw = context => {
    forEachPart((part, record, start) => {
      if (start + part.end < timeline.begin || start + part.start > timeline.end)
        return;
      context.globalAlpha = 1;
      context.fillStyle = record === selected ? '#f5b301' : colourOf(record);
      timeline.fill(context, start + part.start, start + part.end, 2, rowHeight - 4);
      for (const line of part.timelines) {
        context.fillStyle = record === selected ? '#f5b301' : engineColours[line.engine];
        for (const [begin, end, busy] of line.decoded) {
          context.globalAlpha = 0.25 + 0.75 * busy / (end - begin);
          timeline.fill(context, start + begin, start + end, rowOf.get(getTrack(line)), rowHeight - 4);
        }
      }
    });
    context.globalAlpha = 1;
    context.fillStyle = '#1c2126';
    forEachPart((part, record, start) => {
      const x = Math.max(timeline.getX(start + part.start), margin);
      const width = Math.min(timeline.getX(start + part.end), margin + timeline.getWidth()) - x;
      if (width > 60)
        context.fillText(describe(record).slice(0, width / 6), x + 3, rowHeight / 2);
    });
  };
  timeline.drawLabels = context => {
    context.fillStyle = '#1c2126';
    tracks.forEach((name, number) => context.fillText(name, 8, number * rowHeight + rowHeight / 2));
  };
  timeline.find = (time, y) => {
    const track = tracks[Math.floor(y / rowHeight)];
    let found = null;
    forEachPart((part, record, start) => {
      if (found || time < start + part.start || time >= start + part.end)
        return;
      const line = part.timelines.find(line => getTrack(line) === track);
      if (track === 'dispatches')
        found = {record, text: `${describe(record)}\ncycles ${start + part.start} to ${start + part.end}`};
      else if (line && line.decoded.some(([begin, end]) => start + begin <= time && time < start + end))
        found = {record, text: `${describe(record)}\n${track}: ` +
            `${cell(dispatches, dispatches.rows[record], `${line.engine}_busy_cycles`) ?? '?'} cycles busy\n` +
            `stalls: ${cell(dispatches, dispatches.rows[record], 'stalls')}`};
    });
    return found;
  };
  const last = data.launches.at(-1);
  timeline.setLength(last ? last[2] + data.programs[last[0]].cycles : 0, 'cycles');
}

// ---------------------------------------------------------------------------------------------------------------------
// Roofline
// ---------------------------------------------------------------------------------------------------------------------

function draw(parent, tag, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  if (text !== undefined)
    element.textContent = text;
  parent.append(element);
  return element;
}

/// A point per kernel. One whose operands are loaded while the array works for another is as fast as DRAM brings them, at most.
function getRooflinePoints() {
  const kernels = [];
  dispatches.rows.forEach((row, record) => {
    const number = name => Number(cell(dispatches, row, name));
    if (cell(dispatches, row, 'placement') !== 'npu')
      return;
    if (kernels.length === 0 || kernels.at(-1).kernel !== number('kernel') || number('dispatch') === number('kernel'))
      kernels.push({kernel: number('kernel'), records: [], macs: 0, bytes: 0, cycles: 0, peak: 0});
    const kernel = kernels.at(-1);
    kernel.records.push(record);
    kernel.macs += number('macs');
    kernel.bytes += number('dram_bytes_read') + number('dram_bytes_written');
    kernel.cycles += number('cycles');
    kernel.peak = Math.max(kernel.peak, number('peak_macs_per_cycle'));
  });
  return kernels.filter(kernel => kernel.macs > 0 && kernel.cycles > 0 && kernel.bytes > 0)
      .map(kernel => ({...kernel, x: kernel.macs / kernel.bytes,
        y: kernel.macs / Math.max(kernel.cycles, kernel.bytes / data.target.dramBytesPerCycle)}));
}

function showRoofline() {
  const points = getRooflinePoints(), bandwidth = data.target.dramBytesPerCycle;
  get('roofline-hint').textContent = `${points.length} kernels with multiply-accumulate operations, by MAC per byte of DRAM traffic and MAC per ` +
      `cycle; dispatches that share a kernel are one point. Roofs: ${bandwidth} bytes per cycle, and the array's peak rates for the operands.`;
  const svg = get('roofline-chart');
  if (points.length === 0) {
    svg.style.display = 'none';
    return;
  }
  const peaks = [...new Set(points.map(point => point.peak))].sort((a, b) => a - b);
  const xs = points.map(p => p.x).concat(peaks.map(peak => peak / bandwidth));
  const low = 10 ** Math.floor(Math.log10(Math.min(...xs))), high = 10 ** Math.ceil(Math.log10(Math.max(...xs)) + 0.01);
  const bottom = 10 ** Math.floor(Math.log10(Math.min(...points.map(p => p.y))));
  const top = 10 ** Math.ceil(Math.log10(Math.max(...peaks, ...points.map(p => p.y))) + 0.01);
  const scale = (value, from, to, begin, end) => begin + Math.log(value / from) / Math.log(to / from) * (end - begin);
  const x = value => scale(value, low, high, 60, 880), y = value => scale(value, bottom, top, 380, 15);
  for (let value = low; value <= high * 1.001; value *= 10) {
    draw(svg, 'line', {x1: x(value), x2: x(value), y1: 15, y2: 380, stroke: '#e3e6ea'});
    draw(svg, 'text', {x: x(value), y: 395, 'text-anchor': 'middle'}, Number(value.toPrecision(3)));
  }
  for (let value = bottom; value <= top * 1.001; value *= 10) {
    draw(svg, 'line', {x1: 60, x2: 880, y1: y(value), y2: y(value), stroke: '#e3e6ea'});
    draw(svg, 'text', {x: 54, y: y(value) + 4, 'text-anchor': 'end'}, Number(value.toPrecision(3)));
  }
  draw(svg, 'text', {x: 470, y: 413, 'text-anchor': 'middle'}, 'MAC / byte');
  draw(svg, 'text', {x: 14, y: 200, transform: 'rotate(-90 14 200)', 'text-anchor': 'middle'}, 'MAC / cycle');
  for (const peak of peaks) {
    const ridge = peak / bandwidth, left = Math.max(low, bottom / bandwidth);
    draw(svg, 'polyline', {class: 'roof', 'data-peak': peak, fill: 'none', stroke: '#1f5fa8', 'stroke-width': 1.5,
      points: `${x(left)},${y(left * bandwidth)} ${x(ridge)},${y(peak)} ${x(high)},${y(peak)}`});
    draw(svg, 'text', {x: 876, y: y(peak) - 5, 'text-anchor': 'end'}, `${peak} MAC/cycle`);
  }
  for (const point of points) {
    const dot = draw(svg, 'circle', {cx: x(point.x).toFixed(1), cy: y(point.y).toFixed(1), r: 4, fill: colourOf(point.records[0]),
      stroke: '#333', 'stroke-width': 0.6, 'data-record': point.records[0], 'data-x': point.x, 'data-y': point.y});
    draw(dot, 'title', {}, `${point.records.map(describe).join('\n')}\n${point.x.toFixed(2)} MAC/byte, ${point.y.toFixed(2)} MAC/cycle`);
    dot.addEventListener('click', () => select(point.records[0]));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

const arenaChoice = 'arena';

/// What there is to see of a memory: its size, how long, and rectangles of bytes over time.
function getMemoryMap(program, choice) {
  if (choice === arenaChoice)
    return {bytes: data.arena.bytes, length: data.arena.tasks, unit: 'tasks', uses: data.arena.buffers.map(
        ([name, offset, bytes, begin, end], number) =>
            ({low: offset, high: offset + bytes, begin, end, what: name, colour: colourOf(number)}))};
  const [cluster, space] = choice.split(' ');
  const first = data.launches.find(([number]) => number === program)?.[1];
  const uses = [];
  for (const [ofCluster, ofSpace, low, high, begin, end, part, what] of data.programs[program].memory)
    if (ofCluster === Number(cluster) && ofSpace === space)
      uses.push({low, high, begin, end, what, record: first === undefined ? undefined : first + part, colour: colourOf((first ?? 0) + part)});
  return {bytes: data.target[`${space}Bytes`], length: data.programs[program].cycles, unit: 'cycles', uses};
}

function showMemory() {
  memory = new Chart(get('memory-chart'), 340);
  const height = 320, programs = get('program-choice'), choices = get('memory-choice');
  data.programs.forEach((program, number) => programs.append(make('option', {value: number}, `${number}: ${program.name}`)));
  if (data.programs.length > 0)
    for (let cluster = 0; cluster < data.target.clusters; ++cluster)
      for (const space of ['sram', 'acc'])
        choices.append(make('option', {value: `${cluster} ${space}`},
            data.target.clusters > 1 ? `${space} of cluster ${cluster}` : space));
  if (data.arena)
    choices.append(make('option', {value: arenaChoice}, 'DRAM, intermediate tensors'));
  if (choices.options.length === 0) {
    get('memory-hint').textContent = 'Nothing ran on the NPU.';
    get('memory-chart').hidden = true;
    return;
  }
  let map;
  const toY = byte => height - byte * height / Math.max(map.bytes, 1);
  memory.draw = context => {
    for (const use of map.uses) {
      context.fillStyle = use.record !== undefined && use.record === selected ? '#f5b301' : use.colour;
      context.globalAlpha = 0.75;
      const top = toY(use.high), size = Math.max(toY(use.low) - top, 1);
      if (memory.fill(context, use.begin, use.end, top, size) && size > 3) {
        context.globalAlpha = 1;
        context.fillStyle = '#ffffff';
        context.fillRect(memory.getX(use.end) - 0.5, top, 0.5, size);
        context.fillRect(Math.max(memory.getX(use.begin), margin), top, memory.getX(use.end) - memory.getX(use.begin), 0.5);
      }
    }
    context.globalAlpha = 1;
  };
  memory.drawLabels = context => {
    context.fillStyle = '#1c2126';
    for (let step = 0; step <= 4; ++step)
      context.fillText(Math.round(map.bytes * step / 4).toLocaleString('en'), 8, Math.min(Math.max(toY(map.bytes * step / 4), 8), height - 6));
  };
  memory.find = (time, y) => {
    const byte = (height - y) * map.bytes / height;
    // The smallest one tells most.
    const under = map.uses.filter(use => use.low <= byte && byte < use.high && use.begin <= time && time < use.end)
        .sort((a, b) => (a.high - a.low) - (b.high - b.low));
    if (under.length === 0)
      return null;
    const use = under[0];
    return {record: use.record, text: `${use.what}\nbytes ${use.low} to ${use.high}, ${map.unit} ${use.begin} to ${use.end}` +
        (use.record === undefined ? '' : `\n${describe(use.record)}`)};
  };
  const update = () => {
    map = getMemoryMap(Number(programs.value), choices.value);
    programs.disabled = choices.value === arenaChoice;
    get('memory-hint').textContent = `${map.uses.length} rectangles: bytes from below to above, ${map.unit} from left to right.`;
    memory.setLength(map.length, map.unit);
  };
  programs.addEventListener('change', update);
  choices.addEventListener('change', update);
  update();
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest
// ---------------------------------------------------------------------------------------------------------------------

function showPlacement() {
  const columns = ['dispatch', 'names', 'op', 'placement', 'reasons'];
  const isOnHost = row => cell(dispatches, row, 'placement') !== 'npu';
  const onHost = dispatches.rows.filter(isOnHost);
  get('placement-hint').textContent = onHost.length === 0 ? 'All dispatches ran on the NPU.' :
      `${dispatches.rows.length - onHost.length} of ${dispatches.rows.length} dispatches ran on the NPU. On the host, and why:`;
  if (onHost.length > 0)
    showTable(get('placement-table'), {columns, isText: [false, true, true, false, true], totals: [],
      rows: onHost.map(row => columns.map(name => cell(dispatches, row, name)))});
}

function showSummary() {
  const [row] = data.summary.rows;
  get('summary-table').append(...data.summary.columns.map((name, number) => make('tr', {}, make('th', {}, name),
      make('td', {className: getMark(name, row[number])}, row[number]))));
  const figure = name => cell(data.summary, row, name);
  document.title = `${data.model} on ${data.target.name}`;
  get('title').textContent = document.title;
  get('headline').textContent = `${figure('dispatches_on_npu')} of ${figure('dispatches')} dispatches and ${figure('macs_on_npu')} of ` +
      `${figure('macs')} MAC on the NPU; ${figure('cycles')} cycles, ${figure('cycles_over_roofline')} times the roofline's limit; ` +
      `MAC utilisation ${figure('mac_utilisation')}; host check: ${figure('host_check')}.`;
}

showSummary();
showDispatches();
showTimeline();
showMemory();
showRoofline();
showPlacement();
if (data.outputs.rows.length > 0)
  showTable(get('output-table'), data.outputs);
get('differences-hint').textContent = data.differences ? `Against ${data.other}: new over old, so that less than 1 is better.` :
    'Make a report with --compare-report=<directory of another one> to see them here.';
if (data.differences)
  showTable(get('difference-table'), data.differences);
document.body.dataset.ready = 'yes';
