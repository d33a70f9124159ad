import { useSyncExternalStore } from 'react'

/** What the server asks before it charges a saved card (D40). */
export type CardQuestion = {
  card: { brand: string; last4: string; expMonth: number; expYear: number }
  amountCents: number
  title: string
}
/** Pay with the saved card, on the page with another, or not at all. */
export type CardAnswer = 'use' | 'skip' | 'cancel'

type Asked = CardQuestion & { answer: (answer: CardAnswer) => void }

// One question at a time, whichever screen asks: the dialog is mounted once, by the app.
let asked: Asked | undefined
const listeners = new Set<() => void>()
const change = (next: Asked | undefined) => {
  asked = next
  for (const listener of listeners) listener()
}

/** Asks the viewer, and resolves with what they chose. */
export function askAboutCard(question: CardQuestion): Promise<CardAnswer> {
  asked?.answer('cancel')
  return new Promise((resolve) =>
    change({
      ...question,
      answer: (answer) => {
        change(undefined)
        resolve(answer)
      },
    }),
  )
}

export const useCardQuestion = (): Asked | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
