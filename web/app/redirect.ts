/** Thrown by a loader when the user may not open its screen (yet): the address to open instead. */
export class Redirect {
  readonly to: string
  constructor(to: string) {
    this.to = to
  }
}
