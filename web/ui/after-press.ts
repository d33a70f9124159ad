let pressed = false
const waiting = new Set<() => void>()

// The mouse events, which come for fingers too: `mousedown` takes the focus away. Where no click follows, `mouseup` ends the press.
document.addEventListener('mousedown', () => (pressed = true), true)
document.addEventListener('mouseup', () => setTimeout(release), true)
document.addEventListener('click', release)

function release(): void {
  pressed = false
  const works = [...waiting]
  waiting.clear()
  for (const work of works) work()
}

/** Runs what moves things on the page when no press is under way: else what is pressed would not be there any more when it is let go. */
export function afterPress(work: () => void): void {
  if (pressed) waiting.add(work)
  else work()
}
