export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Beyond the usual ones, e.g. `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
}
