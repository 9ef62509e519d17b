// ReportModel.js - what the page of npu-run --report makes of its data, without a browser: sorting, filters, texts, layout.
// Names come from models: they become text, never HTML.
'use strict';

/// The cell of a column, by the column's name; undefined if the table has no such column.
const cell = (table, row, name) => row[table.columns.indexOf(name)];

// ---------------------------------------------------------------------------------------------------------------------
// Numbers and names for people
// ---------------------------------------------------------------------------------------------------------------------

const titles = {
  kernel: 'First dispatch', kernel_name: 'Kernel', placement: 'Runs on', kernel_dispatches: 'Dispatches', macs: 'MACs', cycles: 'Cycles',
  milliseconds: 'Time (ms)', energy_uj: 'Energy (µJ)', roofline_cycles: 'Limit (cycles)', bound: 'Bound by', cycles_over_roofline: 'Over limit',
  lost_cycles: 'Lost cycles', mac_utilisation: 'MAC use', network_share_percent: 'Share', largest_cause: 'Largest cause', tile: 'Tile',
  schedule: 'Schedule', stalls: 'Waits', reasons: 'Why on the host', dispatch: 'Dispatch', names: 'Names in the model', op: 'Operation',
  host_check: 'Host check', host_check_reason: 'Why no match', dram_bytes_read: 'DRAM read (bytes)', dram_bytes_written: 'DRAM written (bytes)',
  dram_bytes_lower_bound: 'DRAM least (bytes)', dram_over_lower_bound: 'DRAM over least', peak_macs_per_cycle: 'Peak MAC/cycle',
  sram_peak_bytes: 'SRAM peak (bytes)', acc_peak_bytes: 'Accumulators peak (bytes)', sram_bytes: 'SRAM (bytes)', acc_bytes: 'Accumulators (bytes)',
};

/// What a column is called: its title, or the words of its key.
function getTitle(key) {
  if (Object.hasOwn(titles, key))
    return titles[key];
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/// A cell as people read it: separators, percent, times. The cell itself stays what the CSV file has.
function formatCell(key, text) {
  if (key === 'largest_cause' && text)
    return text.replace(/\d{4,}/g, digits => Number(digits).toLocaleString('en'));
  if (text === '' || text === undefined || text === null || isNaN(Number(text)))
    return text ?? '';
  const number = Number(text);
  if (key === 'mac_utilisation')
    return `${(100 * number).toFixed(1)} %`;
  if (key.endsWith('_percent'))
    return `${number.toFixed(1)} %`;
  if (key.includes('_over_') || key.endsWith('_ratio'))
    return number === 0 ? '–' : `${number.toFixed(2)} ×`; // 0: there is nothing to divide by
  if (key === 'dispatch' || key === 'kernel' || key === 'kernel_dispatches' || key === 'names')
    return text;
  return Number.isInteger(number) ? number.toLocaleString('en') : number.toLocaleString('en', {maximumFractionDigits: 4});
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

/// Numbers by size, words by name; empty cells are last in either direction.
function compareCells(a, b, direction) {
  if (a === '' || b === '')
    return (a === '') - (b === '');
  const x = Number(a), y = Number(b);
  const result = isNaN(x) || isNaN(y) ? (a < b ? -1 : a > b ? 1 : 0) : x - y;
  return direction * result;
}

/// The order of a table's rows by a column; rows that are equal stay in theirs.
function sortRows(table, column, direction) {
  return table.rows.map((row, number) => number)
      .sort((a, b) => compareCells(table.rows[a][column], table.rows[b][column], direction) || a - b);
}

/// Which way the first click sorts: what is most first, of words the first one.
const getFirstDirection = (table, column) => table.isText[column] ? 1 : -1;

/// Whether a row has what is asked for: words that are in some cell, and comparisons as `cycles>1000` or `host_check=match`. `extra` is
/// further text of the row.
function matches(table, row, query, extra = '') {
  return query.trim().split(/\s+/).filter(Boolean).every(term => {
    const compared = /^([\w ]+?)(>=|<=|>|<|=)(.+)$/.exec(term);
    const column = compared ? table.columns.indexOf(compared[1].toLowerCase()) : -1;
    if (column < 0)
      return [...row, extra].some(text => text.toLowerCase().includes(term.toLowerCase()));
    const left = row[column], right = compared[3];
    if (left === '')
      return false;
    if (compared[2] === '=')
      return left.toLowerCase() === right.toLowerCase() || (right !== '' && Number(left) === Number(right));
    const difference = Number(left) - Number(right.replaceAll(',', ''));
    return {'>': difference > 0, '<': difference < 0, '>=': difference >= 0, '<=': difference <= 0}[compared[2]];
  });
}

/// Columns whose sum over rows means something. Limits do not add up, so neither does what is beyond them.
const isSummed = key => ['macs', 'cycles', 'milliseconds', 'energy_uj', 'network_share_percent', 'dram_bytes_read',
  'dram_bytes_written'].includes(key) || key.endsWith('_busy_cycles') || key.endsWith('_wait_cycles');

/// Totals of some rows, by column; nothing where a sum has no meaning. Decimals stay as many as the cells have.
function sumRows(table, rows) {
  return table.columns.map((key, column) => {
    const cells = rows.map(row => row[column]).filter(text => text !== '');
    if (!isSummed(key) || cells.length === 0)
      return '';
    const decimals = Math.max(...cells.map(text => (text.split('.')[1] ?? '').length));
    return cells.reduce((sum, text) => sum + Number(text), 0).toFixed(decimals);
  });
}

/// The rows of up to five kernels that lose most.
function getTopLosses(kernels) {
  const lost = row => Number(cell(kernels, kernels.rows[row], 'lost_cycles'));
  return kernels.rows.map((row, number) => number).filter(row => lost(row) > 0).sort((a, b) => lost(b) - lost(a) || a - b).slice(0, 5);
}

/// Lines about what would make a kernel faster, by the number of its first dispatch: what helps most first, `most` at most.
function describeAdvice(losses, kernel, most) {
  const known = losses?.find(loss => loss.kernel === Number(kernel))?.advice ?? [];
  return known.slice(0, most).map(each => `Try ${each.change}: ${each.cyclesSaved.toLocaleString('en')} cycles less (${each.rule}: ${each.reason}).`);
}

// ---------------------------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------------------------

/// The intervals of a timeline as {begin, end, busy, note, count}, in cycles of the launch.
function decodeTimeline(timeline) {
  const decoded = [];
  let time = 0;
  for (let i = 0; 3 * i < timeline.intervals.length; ++i) {
    const [pause, length, busy] = timeline.intervals.slice(3 * i, 3 * i + 3);
    decoded.push({begin: time + pause, end: time + pause + length, busy, note: timeline.instructions?.[2 * i],
      count: timeline.instructions?.[2 * i + 1] ?? 1});
    time += pause + length;
  }
  return decoded;
}

/// Lines about the instruction of a bar, as ProgramProfile has it.
function describeInstruction(program, interval) {
  const note = program.instructions?.[interval.note];
  if (!note)
    return '';
  const [mnemonic, place, waits, touches, bytes] = note;
  const more = interval.count > 1 ? ` (the longest of ${interval.count.toLocaleString('en')} here)` : '';
  return [mnemonic + more, place && `of ${place}`, touches && touches.replaceAll('; ', '\n'), bytes > 0 && `DRAM: ${bytes.toLocaleString('en')} bytes`,
    waits ? `waits for ${waits}` : 'waits for nothing'].filter(Boolean).join('\n');
}

/// Round times for an axis with at most `most` labels.
function getTicks(begin, end, most) {
  const raw = Math.max((end - begin) / Math.max(most, 1), 1e-9), power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map(n => n * power).find(n => n >= raw * 0.999));
  const ticks = [];
  for (let time = Math.ceil(begin / step) * step; time <= end; time += step)
    ticks.push(time);
  return ticks;
}

/// What is in a memory at a time, by its first byte.
const getUsesAt = (uses, time) => uses.filter(use => use.begin <= time && time < use.end).sort((a, b) => a.low - b.low || a.high - b.high);

// ---------------------------------------------------------------------------------------------------------------------
// The network
// ---------------------------------------------------------------------------------------------------------------------

/// The kernels as a graph in layers: {nodes: [{row, layer, place}], edges: [[node, node]], layers, places}. Of a kernel that runs again and
/// again, the first time is there.
function layOut(kernels, edges) {
  const nodeOfDispatch = new Map(), nodes = [];
  kernels.rows.forEach((row, number) => {
    const dispatches = cell(kernels, row, 'kernel_dispatches').split(' ').filter(Boolean);
    if (dispatches.some(dispatch => nodeOfDispatch.has(Number(dispatch))))
      return;
    dispatches.forEach(dispatch => nodeOfDispatch.set(Number(dispatch), nodes.length));
    nodes.push({row: number, layer: 0, place: 0});
  });
  const known = new Set(), kept = [];
  for (const [from, to] of edges) {
    const a = nodeOfDispatch.get(from), b = nodeOfDispatch.get(to);
    // What goes back belongs to a loop.
    if (a === undefined || b === undefined || a >= b || known.has(`${a} ${b}`))
      continue;
    known.add(`${a} ${b}`);
    kept.push([a, b]);
  }
  kept.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  for (const [a, b] of kept)
    nodes[b].layer = Math.max(nodes[b].layer, nodes[a].layer + 1);
  const used = [];
  for (const node of nodes) {
    node.place = used[node.layer] ?? 0;
    used[node.layer] = node.place + 1;
  }
  return {nodes, edges: kept, layers: used.length, places: Math.max(0, ...used)};
}

if (typeof module !== 'undefined')
  module.exports = {cell, compareCells, decodeTimeline, describeAdvice, describeInstruction, formatCell, getFirstDirection, getTicks, getTitle, getTopLosses, getUsesAt,
    layOut, matches, sortRows, sumRows};
