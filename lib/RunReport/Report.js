// Report.js - draws the page of npu-run --report from its data, which is what report.json and the CSV files say: the sections that have no
// file of their own, what is selected, and all of them in order.

const dispatches = data.dispatches, kernels = data.kernels;
const kernelOfRecord = [];
data.kernelRecords.forEach((records, kernel) => records.forEach(record => { kernelOfRecord[record] = kernel; }));
const getKernelName = kernel => kernels.rows[kernel] ? cell(kernels, kernels.rows[kernel], 'kernel_name') : '';
let selected = -1; // row of a kernel
let kernelLines = [], dispatchLines = [], memberLines = [];

// ---------------------------------------------------------------------------------------------------------------------
// Selection
// ---------------------------------------------------------------------------------------------------------------------

function describeRow(table, row, without = []) {
  const list = make('dl');
  table.columns.forEach((key, column) => {
    if (row[column] !== '' && !without.includes(key))
      list.append(make('dt', {title: key}, getTitle(key)), make('dd', {'data-value': row[column]}, formatCell(key, row[column])));
  });
  return list;
}

/// Marks a kernel everywhere, and lists all that is known of it beside the rest; of its dispatches, `record` is open.
function select(kernel, record) {
  const mark = (element, isMarked) => {
    element?.classList.toggle('selected', isMarked);
    if (element?.hasAttribute('aria-pressed'))
      element.setAttribute('aria-pressed', isMarked);
  };
  const markAll = isMarked => {
    for (const element of [kernelLines[selected], graphNodes.get(selected), rooflineDots.get(selected)])
      mark(element, isMarked);
    kernelLines[selected]?.querySelector('.name').setAttribute('aria-pressed', isMarked);
    (data.kernelRecords[selected] ?? []).forEach(number => mark(dispatchLines[number], isMarked));
  };
  markAll(false);
  selected = kernel ?? -1;
  markAll(true);
  const detail = get('detail');
  document.body.classList.toggle('has-selection', selected >= 0);
  if (selected >= 0) {
    const name = make('h2', {}, getKernelName(selected));
    const members = data.kernelRecords[selected].map(number => {
      const row = dispatches.rows[number];
      return make('details', {open: number === record || data.kernelRecords[selected].length === 1},
          make('summary', {}, `#${cell(dispatches, row, 'dispatch')} ${cell(dispatches, row, 'names') || cell(dispatches, row, 'op')}`), describeRow(dispatches, row));
    });
    get('detail-body').replaceChildren(name, describeRow(kernels, kernels.rows[selected], ['kernel_name', 'schedule', 'stalls']), ...makeAdvice(selected), make('h3', {}, members.length === 1 ? 'Its dispatch' : `Its ${members.length} dispatches`), ...members);
    detail.scrollTop = 0;
  } else {
    get('detail-body').replaceChildren(make('p', {className: 'hint'}, 'Select a kernel in a chart or in the table: what is known of it is here.'));
  }
  get('detail-close').hidden = selected < 0;
  timeline?.redraw();
  memory?.redraw();
}

// ---------------------------------------------------------------------------------------------------------------------
// Head
// ---------------------------------------------------------------------------------------------------------------------

function showSummary() {
  const [row] = data.summary.rows, figure = name => cell(data.summary, row, name);
  const format = name => formatCell(name, figure(name));
  get('summary-table').append(make('tbody', {}, ...data.summary.columns.map((name, number) => make('tr', {}, make('th', {scope: 'row', title: name, 'data-column': name}, getTitle(name)),
      make('td', {className: getMark(name, row[number]), 'data-value': row[number]}, formatCell(name, row[number]))))));
  const assumed = data.summary.columns.includes('assumed_type') ? `, as if it were quantized to ${figure('assumed_type')}` : '';
  document.title = `${data.model} on ${data.target.name}${assumed}`;
  get('title').textContent = document.title;
  const time = figure('milliseconds'), energy = figure('energy_uj');
  const cards = [['Cycles', format('cycles'), time ? `${formatCell('milliseconds', time)} ms` : `lost: ${format('lost_cycles')}`],
    ['Over the limit', format('cycles_over_roofline'), `limit: ${format('roofline_cycles')} cycles`],
    ['MAC use', format('mac_utilisation'), 'of the peak rate'],
    ['On the NPU', `${format('dispatches_on_npu')} of ${format('dispatches')}`, `${format('macs_on_npu')} of ${format('macs')} MAC`],
    ['Host check', figure('host_check'), 'of the outputs']];
  if (energy)
    cards.push(['Energy', `${formatCell('energy_uj', energy)} µJ`, '']);
  get('headline').append(...cards.map(([name, value, more]) => make('div', {className: 'card'}, make('dt', {}, name), make('dd', {}, make('strong', {}, value), ' ', make('span', {}, more)))));
}

/// A list of what would make a kernel faster; nothing without advice.
function makeAdvice(row, most) {
  const lines = describeAdvice(data.losses, cell(kernels, kernels.rows[row], 'kernel'), most);
  return lines.length === 0 ? [] : [make('ul', {className: 'advice'}, ...lines.map(line => make('li', {}, line)))];
}

function showLosses() {
  const losses = getTopLosses(kernels);
  get('losses').hidden = losses.length === 0;
  get('losses-list').append(...losses.map(row => {
    const format = key => formatCell(key, cell(kernels, kernels.rows[row], key));
    const button = make('button', {type: 'button', className: 'name'}, getKernelName(row));
    button.addEventListener('click', () => select(row));
    return make('li', {}, button, ` loses ${format('lost_cycles')} of ${format('cycles')} cycles: ${format('largest_cause')}.`, ...makeAdvice(row, 3));
  }));
}

// ---------------------------------------------------------------------------------------------------------------------
// Kernels
// ---------------------------------------------------------------------------------------------------------------------

const mainColumns = ['kernel_name', 'network_share_percent', 'cycles', 'milliseconds', 'energy_uj', 'lost_cycles', 'cycles_over_roofline', 'mac_utilisation', 'largest_cause'];

/// The rows below a kernel that are its dispatches.
function makeMembers(kernel, numColumns) {
  return data.kernelRecords[kernel].map(record => {
    const row = dispatches.rows[record], name = cell(dispatches, row, 'names');
    const text = `#${cell(dispatches, row, 'dispatch')} ${name ? `${name}: ` : ''}${cell(dispatches, row, 'op').replace(/^op: /, '')}, ` +
        `${formatCell('macs', cell(dispatches, row, 'macs'))} MAC`;
    const button = make('button', {type: 'button', className: 'name'}, text);
    button.addEventListener('click', event => {
      event.stopPropagation();
      select(kernel, record);
    });
    return make('tr', {className: 'member', hidden: true}, make('td', {className: 'text', colspan: numColumns}, button));
  });
}

function showKernels() {
  const table = putFirst(kernels, mainColumns), all = table.columns.map((key, column) => column);
  const isMain = column => mainColumns.includes(table.columns[column]);
  if (table.rows.length === 0) {
    get('kernels').hidden = true;
    return;
  }
  const body = make('tbody'), foot = make('tr'), element = get('kernel-table');
  const toggles = [], share = table.columns.indexOf('network_share_percent');
  const largestShare = Math.max(0.01, ...table.rows.map(row => Number(row[share])));
  memberLines = table.rows.map((row, kernel) => makeMembers(kernel, all.length));
  kernelLines = table.rows.map((row, kernel) => {
    const cells = all.map(column => makeCell(table, row, column));
    const name = make('button', {type: 'button', className: 'name', 'aria-pressed': 'false'}, row[0]);
    name.style.setProperty('--kernel', colorOf(kernel));
    const toggle = make('button', {type: 'button', className: 'toggle', 'aria-expanded': 'false', 'aria-label': `Dispatches of ${row[0]}`}, '▸');
    const count = data.kernelRecords[kernel].length;
    toggle.title = `${count} ${count === 1 ? 'dispatch' : 'dispatches'}`;
    toggle.addEventListener('click', event => {
      event.stopPropagation();
      const isOpen = toggle.getAttribute('aria-expanded') !== 'true';
      toggle.setAttribute('aria-expanded', isOpen);
      toggle.textContent = isOpen ? '▾' : '▸';
      memberLines[kernel].forEach(line => { line.hidden = !isOpen; });
    });
    toggles.push(toggle);
    cells[0] = make('th', {scope: 'row', className: 'text', title: row[0], 'data-value': row[0]}, toggle, name);
    cells[share].style.setProperty('--share', `${100 * row[share] / largestShare}%`);
    cells[share].classList.add('share');
    const line = make('tr', {}, ...cells);
    line.addEventListener('click', () => select(kernel));
    return line;
  });
  let order = all;
  const place = () => body.append(...order.flatMap(kernel => [kernelLines[kernel], ...memberLines[kernel]]));
  const head = makeHead(table, all, (column, direction) => {
    order = sortRows(table, column, direction);
    place();
  });
  element.append(make('thead', {}, head.row), body, make('tfoot', {}, foot));
  const showTotals = rows => {
    const isAll = rows.length === table.rows.length;
    const totals = isAll ? [...table.totals] : sumRows(table, rows);
    totals[0] = isAll ? table.totals[0] : `${rows.length} of ${table.rows.length} kernels`;
    foot.replaceChildren(...all.map(column => makeCell(table, totals, column)));
    hideColumns();
  };
  const hideColumns = () => {
    for (const line of [head.row, foot, ...kernelLines])
      [...line.cells].forEach((one, column) => { one.hidden = !isMain(column) && !get('all-columns').checked; });
  };
  const filter = () => {
    const shown = table.rows.filter((row, kernel) => {
      const extra = data.kernelRecords[kernel].map(record => dispatches.rows[record].join(' ')).join(' ');
      const isShown = matches(table, row, get('filter').value, extra);
      kernelLines[kernel].hidden = !isShown;
      memberLines[kernel].forEach(line => { line.hidden = !isShown || toggles[kernel].getAttribute('aria-expanded') !== 'true'; });
      return isShown;
    });
    showTotals(shown);
    get('filter-result').textContent = get('filter').value.trim() ? `${shown.length} of ${table.rows.length} kernels.` : '';
  };
  get('filter').addEventListener('input', filter);
  get('all-columns').addEventListener('change', hideColumns);
  filter();
  head.apply(table.columns.indexOf('lost_cycles'), -1);
}

function showDispatches() {
  get('dispatches').hidden = dispatches.rows.length === 0;
  dispatchLines = showTable(get('dispatch-table'), putFirst(dispatches, ['dispatch', 'names', 'op']), record => select(kernelOfRecord[record], record));
  const numAll = Number(cell(data.summary, data.summary.rows[0], 'dispatches'));
  if (dispatches.rows.length < numAll)
    get('dispatch-hint').textContent = `The first ${dispatches.rows.length} of ${numAll} dispatches, here and above; per-dispatch.csv has all of them.`;
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest
// ---------------------------------------------------------------------------------------------------------------------

function showPlacement() {
  const columns = ['dispatch', 'names', 'op', 'placement', 'reasons'];
  const onHost = dispatches.rows.filter(row => cell(dispatches, row, 'placement') !== 'npu');
  get('placement').hidden = onHost.length === 0;
  get('placement-hint').textContent = `${dispatches.rows.length - onHost.length} of ${dispatches.rows.length} dispatches ran on the NPU. On the host, and why:`;
  showTable(get('placement-table'), {columns, isText: [false, true, true, false, true], totals: [],
    rows: onHost.map(row => columns.map(name => cell(dispatches, row, name)))});
}

function showOptional(section, table, data) {
  get(section).hidden = !data || data.rows.length === 0;
  if (data)
    showTable(get(table), data);
}

showSummary();
showLosses();
showKernels();
showDispatches();
showTimeline();
showGraph();
showRoofline();
showMemory();
showPlacement();
showOptional('outputs', 'output-table', data.outputs);
showOptional('differences', 'difference-table', data.differences);
if (data.differences)
  get('differences-hint').textContent = `Against ${data.other}: new over old, so that less than 1 is better.`;
for (const link of document.querySelectorAll('nav a'))
  link.hidden = get(link.getAttribute('href').slice(1)).hidden;
select(-1);
get('detail-close').addEventListener('click', () => select(-1));
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') {
    get('tooltip').hidden = true;
    select(-1);
  }
});
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  timeline?.redraw();
  memory?.redraw();
});
document.body.dataset.ready = 'yes';
