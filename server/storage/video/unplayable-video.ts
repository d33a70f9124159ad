/** A fault of the file itself: it is tried once, and the log has one line of it. */
export class UnplayableVideo extends Error {
  override name = 'UnplayableVideo'
}
