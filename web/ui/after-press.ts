let pressed = false
const waiting = new Set<() => void>()

// Touch fires mouse events too. `mousedown` moves the focus; `mouseup` ends a press that no click follows.
if (!import.meta.env.SSR) {
  document.addEventListener('mousedown', () => (pressed = true), true)
  document.addEventListener('mouseup', () => setTimeout(release), true)
  document.addEventListener('click', release)
}

function release(): void {
  pressed = false
  const works = [...waiting]
  waiting.clear()
  for (const work of works) work()
}

/** Runs layout changes when no press is under way. Otherwise the pressed element could move away before the release. */
export function afterPress(work: () => void): void {
  if (pressed) waiting.add(work)
  else work()
}
