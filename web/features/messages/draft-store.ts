/** Words that were begun and not sent. They stay in this tab, through a reload, and go with it. */
const keyOf = (viewerId: string, otherId: string) => `message-draft ${viewerId} ${otherId}`

export const readDraft = (viewerId: string, otherId: string): string =>
  sessionStorage.getItem(keyOf(viewerId, otherId)) ?? ''

export function keepDraft(viewerId: string, otherId: string, text: string): void {
  if (text) sessionStorage.setItem(keyOf(viewerId, otherId), text)
  else forgetDraft(viewerId, otherId)
}

export const forgetDraft = (viewerId: string, otherId: string): void =>
  sessionStorage.removeItem(keyOf(viewerId, otherId))
