/** What a loader throws when its screen is not for this person (yet): the address that is opened in its place. */
export class Redirect {
  readonly to: string
  constructor(to: string) {
    this.to = to
  }
}
