'use strict';
(function () {
  const list = document.getElementById('sentence-list');
  if (!list) return;
  const controls = document.getElementById('sentence-controls');
  const system = document.getElementById('choose-system');
  const order = document.getElementById('choose-order');
  const search = document.getElementById('search');
  const shown = document.getElementById('shown');

  const cards = Array.from(list.children).map(function (element) {
    return {
      element: element,
      number: Number(element.dataset.number),
      words: Number(element.dataset.words),
      errors: element.dataset.errors.split(' ').map(Number),
      text: element.querySelector('summary').textContent.toLowerCase(),
      trees: Array.from(element.querySelectorAll('[data-system]'))
    };
  });

  function errorsOf(card) {
    if (system.value !== 'all') return card.errors[Number(system.value)];
    return card.errors.reduce(function (sum, errors) { return sum + errors; }, 0);
  }
  const keys = {
    errors: errorsOf,
    rate: function (card) { return errorsOf(card) / card.words; },
    difference: function (card) { return Math.max.apply(null, card.errors) - Math.min.apply(null, card.errors); },
    file: function (card) { return -card.number; }
  };

  function matches(card) {
    if (errorsOf(card) === 0) return false;
    return search.value.toLowerCase().split(/\s+/).every(function (word) { return card.text.includes(word); });
  }

  function update() {
    const key = keys[order.value];
    let count = 0;
    cards.sort(function (a, b) { return key(b) - key(a) || a.number - b.number; });
    cards.forEach(function (card) {
      const isShown = matches(card);
      card.element.hidden = !isShown;
      count += isShown ? 1 : 0;
      card.trees.forEach(function (tree) {
        tree.hidden = ![tree.dataset.system, 'all'].includes(system.value);
      });
      list.appendChild(card.element);
    });
    shown.textContent = count + ' of ' + cards.length + ' sentences';
  }

  function setOpen(isOpen) {
    cards.forEach(function (card) { card.element.open = isOpen; });
  }
  [system, order].forEach(function (choice) { choice.addEventListener('change', update); });
  search.addEventListener('input', update);
  document.getElementById('open-all').addEventListener('click', function () { setOpen(true); });
  document.getElementById('close-all').addEventListener('click', function () { setOpen(false); });
  controls.hidden = false;
  update();
}());
