import { useSyncExternalStore } from 'react'

/** The charge that the viewer has to confirm (D40). */
export type CardQuestion = {
  card: { brand: string; last4: string; expMonth: number; expYear: number }
  amountCents: number
  title: string
}
/** Pay with the saved card, pay with another on Stripe's page, or cancel. */
export type CardAnswer = 'use' | 'skip' | 'cancel'

export type OpenQuestion = CardQuestion & { answer: (answer: CardAnswer) => void }

// One question at a time for all screens: the app mounts the dialog once.
let openQuestion: OpenQuestion | undefined
const listeners = new Set<() => void>()
const change = (next: OpenQuestion | undefined) => {
  openQuestion = next
  for (const listener of listeners) listener()
}

/** Shows the dialog and resolves with the viewer's choice. */
export function askAboutCard(question: CardQuestion): Promise<CardAnswer> {
  openQuestion?.answer('cancel')
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

export const useCardQuestion = (): OpenQuestion | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => openQuestion,
    () => undefined,
  )
