export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Besides the usual ones, for example `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
}
