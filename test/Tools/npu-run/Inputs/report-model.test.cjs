// report-model.test.cjs - tests of what a report's page makes of its data: node --test, with the file as REPORT_MODEL.
'use strict';

const assert = require('node:assert');
const {test} = require('node:test');
const model = require(process.env.REPORT_MODEL);

const table = {columns: ['kernel', 'kernel_name', 'kernel_dispatches', 'cycles', 'lost_cycles', 'network_share_percent', 'largest_cause'],
  isText: [false, true, true, false, false, false, true],
  rows: [['0', 'a: Conv', '0 1', '90', '10', '9.00', 'x'], ['2', 'b: MatMul', '2', '910', '5', '91.00', 'y'], ['3', 'c: Relu', '3', '', '', '', '']],
  totals: []};

test('numbers are for people', () => {
  assert.equal(model.formatCell('cycles', '1234567'), '1,234,567');
  assert.equal(model.formatCell('mac_utilisation', '0.9621'), '96.2 %');
  assert.equal(model.formatCell('network_share_percent', '3.51'), '3.5 %');
  assert.equal(model.formatCell('cycles_over_roofline', '1.2650'), '1.26 ×');
  assert.equal(model.formatCell('cycles_over_roofline', '0.0000'), '–');
  assert.equal(model.formatCell('largest_cause', 'mxu waits for dmai: 49890'), 'mxu waits for dmai: 49,890');
  assert.equal(model.formatCell('cycles', ''), '');
  assert.equal(model.getTitle('lost_cycles'), 'Lost cycles');
  assert.equal(model.getTitle('constructor'), 'Constructor');
});

test('the largest is first, and nothing last', () => {
  assert.equal(model.getFirstDirection(table, 3), -1);
  assert.equal(model.getFirstDirection(table, 1), 1);
  assert.deepEqual(model.sortRows(table, 3, -1), [1, 0, 2]);
  assert.deepEqual(model.sortRows(table, 3, 1), [0, 1, 2]);
});

test('filters and their totals', () => {
  const find = query => table.rows.filter(row => model.matches(table, row, query)).map(row => row[0]);
  assert.deepEqual(find('conv'), ['0']);
  assert.deepEqual(find('cycles>100'), ['2']);
  assert.deepEqual(find('cycles<=90 conv'), ['0']);
  assert.deepEqual(find('kernel=3'), ['3']);
  assert.deepEqual(find(''), ['0', '2', '3']);
  assert.deepEqual(model.sumRows(table, table.rows), ['', '', '', '1000', '', '100.00', '']);
  assert.deepEqual(model.sumRows(table, []), ['', '', '', '', '', '', '']);
});

test('advice', () => {
  const losses = [{kernel: 2, advice: [{rule: 'faster-dram', change: 'dramBytesPerCycle=64', reason: 'DRAM is busy', cyclesSaved: 1234},
    {rule: 'more-lanes', change: 'vpuLanes=128', reason: 'so it is', cyclesSaved: 9}]}];
  assert.deepEqual(model.describeAdvice(losses, '2', 1), ['Try dramBytesPerCycle=64: 1,234 cycles less (faster-dram: DRAM is busy).']);
  assert.equal(model.describeAdvice(losses, '2').length, 2);
  assert.deepEqual(model.describeAdvice(losses, '0', 3), []);
  assert.deepEqual(model.describeAdvice(undefined, '0', 3), []);
});

test('losses', () => {
  assert.deepEqual(model.getTopLosses(table), [0, 1]); // the third has no limit
  assert.deepEqual(model.getTopLosses({...table, rows: []}), []);
  assert.equal(model.getTopLosses({...table, rows: Array(9).fill(table.rows[0])}).length, 5);
});

test('bars and their instructions', () => {
  const [first, second] = model.decodeTimeline({intervals: [5, 10, 8, 1, 2, 2], instructions: [0, 3, 1, 1]});
  assert.deepEqual([first.begin, first.end, first.busy, first.count], [5, 15, 8, 3]);
  assert.deepEqual([second.begin, second.end, second.note], [16, 18, 1]);
  const program = {instructions: [['dma.load', 'conv1', 'mxu (s1)', 'to sram 0 to 64', 4096], ['ctl.halt', '', '', '', 0]]};
  assert.match(model.describeInstruction(program, first), /dma.load \(the longest of 3 here\)\nof conv1\nto sram 0 to 64\nDRAM: 4,096 bytes\nwaits for mxu/);
  assert.equal(model.describeInstruction(program, second), 'ctl.halt\nwaits for nothing');
  assert.equal(model.describeInstruction({}, {}), '');
});

test('axes and memory', () => {
  assert.deepEqual(model.getTicks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.ok(model.getTicks(0, 0, 0).length <= 2);
  const uses = [{low: 8, high: 9, begin: 0, end: 5}, {low: 0, high: 4, begin: 4, end: 9}];
  assert.deepEqual(model.getUsesAt(uses, 4).map(use => use.low), [0, 8]);
  assert.deepEqual(model.getUsesAt(uses, 5).map(use => use.low), [0]);
});

test('layers of the network', () => {
  const graph = model.layOut(table, [[0, 1], [1, 2], [0, 3], [2, 3], [3, 0], [3, 77]]);
  assert.deepEqual(graph.nodes.map(node => node.layer), [0, 1, 2]);
  assert.deepEqual(graph.edges, [[0, 1], [0, 2], [1, 2]]);
  assert.deepEqual(model.layOut({...table, rows: []}, []), {nodes: [], edges: [], layers: 0, places: 0});
  assert.equal(model.layOut({...table, rows: [table.rows[0], table.rows[0]]}, []).nodes.length, 1);
});
