/** The levels as the server stores those of a message: a byte each, in base64. */
export function encodeLevels(levels: readonly number[]): string {
  const most = Math.max(...levels, 0.05)
  return btoa(String.fromCharCode(...levels.map((level) => Math.round((level / most) * 255))))
}
