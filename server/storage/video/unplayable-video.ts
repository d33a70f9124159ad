/** A defect of the file itself. The video is tried once, and the log gets one line. */
export class UnplayableVideo extends Error {
  override name = 'UnplayableVideo'
}
