// ReportParts.js - what the sections of the page are made of: elements, tables, colors, one tab stop for many things.

window.addEventListener('error', event => {
  document.getElementById('errors').textContent += event.message + '\n';
});

const data = JSON.parse(document.getElementById('data').textContent);
const get = id => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name.includes('-') || ['role', 'scope', 'colspan'].includes(name))
      element.setAttribute(name, value);
    else
      element[name] = value;
  element.append(...children);
  return element;
}

function draw(parent, tag, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  if (text !== undefined)
    element.textContent = text;
  parent.append(element);
  return element;
}

// ---------------------------------------------------------------------------------------------------------------------
// Colors
// ---------------------------------------------------------------------------------------------------------------------

/// A color of the style, which is light or dark.
const getColor = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
/// The color of a kernel, by its row; it is light enough for dark text.
const colorOf = number => `hsl(${(number * 137) % 360} 60% 72%)`;

// ---------------------------------------------------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------------------------------------------------

/// The class of a cell that says whether things are well.
function getMark(column, text) {
  if (column.includes('check') || column === 'expected')
    return ['mismatch', 'inconclusive'].find(word => text.includes(word)) ?? '';
  if (column.endsWith('_ratio') && text !== '')
    return Number(text) > 1.005 ? 'worse' : Number(text) < 0.995 ? 'better' : '';
  return '';
}

function makeCell(table, row, column) {
  const key = table.columns[column], text = row[column] ?? '', kind = table.isText[column] ? 'text' : '';
  return make('td', {className: `${kind} ${getMark(key, text)}`.trim(), title: kind && text, 'data-value': text}, formatCell(key, text));
}

/// A head whose button sorts. `sort(column, direction)` is told; arrows say to all what is sorted how.
function makeHead(table, columns, sort) {
  const heads = columns.map(column => {
    const key = table.columns[column];
    const button = make('button', {type: 'button', title: `${key}: sort`}, getTitle(key), make('span', {className: 'arrow', 'aria-hidden': 'true'}));
    const head = make('th', {className: table.isText[column] ? 'text' : '', scope: 'col', 'data-column': key, 'aria-sort': 'none'}, button);
    button.addEventListener('click', () => {
      const was = head.getAttribute('aria-sort');
      apply(column, was === 'none' ? getFirstDirection(table, column) : was === 'descending' ? 1 : -1);
    });
    return head;
  });
  function apply(column, direction) {
    heads.forEach((head, index) => {
      const isSorted = columns[index] === column;
      head.setAttribute('aria-sort', !isSorted ? 'none' : direction > 0 ? 'ascending' : 'descending');
      head.querySelector('.arrow').textContent = !isSorted ? '' : direction > 0 ? ' ▲' : ' ▼';
    });
    sort(column, direction);
  }
  return {row: make('tr', {}, ...heads), apply};
}

/// Fills `element` with a table as its file has it; a header sorts, `choose` is called with the number of a row that is clicked.
function showTable(element, table, choose) {
  const body = make('tbody'), all = table.columns.map((key, column) => column);
  const lines = table.rows.map((row, number) => {
    const line = make('tr', {}, ...all.map(column => makeCell(table, row, column)));
    if (choose)
      line.addEventListener('click', () => choose(number));
    return line;
  });
  const head = makeHead(table, all, (column, direction) => body.append(...sortRows(table, column, direction).map(number => lines[number])));
  body.append(...lines);
  const caption = element.querySelector('caption');
  element.replaceChildren(...(caption ? [caption] : []), make('thead', {}, head.row), body);
  if (table.totals.length)
    element.append(make('tfoot', {}, make('tr', {}, ...all.map(column => makeCell(table, table.totals, column)))));
  return lines;
}

/// The table with some columns before the others.
function putFirst(table, names) {
  const order = names.map(name => table.columns.indexOf(name)).filter(number => number >= 0);
  table.columns.forEach((name, number) => order.includes(number) || order.push(number));
  const arrange = row => order.map(number => row[number]);
  return {columns: arrange(table.columns), isText: arrange(table.isText), rows: table.rows.map(arrange),
    totals: table.totals.length ? arrange(table.totals) : []};
}

// ---------------------------------------------------------------------------------------------------------------------
// Many things that are one tab stop
// ---------------------------------------------------------------------------------------------------------------------

/// Arrows go from element to element, Enter and space choose one, as a click does. Elements are in the order in which they are read.
function rove(elements, choose) {
  let current = 0;
  const go = (next, isFocused) => {
    elements[current].setAttribute('tabindex', '-1');
    current = Math.min(Math.max(next, 0), elements.length - 1);
    elements[current].setAttribute('tabindex', '0');
    if (isFocused)
      elements[current].focus();
  };
  elements.forEach((element, number) => {
    element.setAttribute('tabindex', '-1');
    element.addEventListener('click', () => {
      go(number, false);
      choose(number);
    });
    element.addEventListener('keydown', event => {
      const steps = {ArrowRight: number + 1, ArrowDown: number + 1, ArrowLeft: number - 1, ArrowUp: number - 1, Home: 0, End: elements.length - 1};
      if (event.key === 'Enter' || event.key === ' ')
        choose(number);
      else if (event.key in steps)
        go(steps[event.key], true);
      else
        return;
      event.preventDefault();
    });
  });
  if (elements.length > 0)
    go(0, false);
}
