import { payingTexts } from '@ovation/contract/texts/paying'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callFunction } from '../../lib/api/functions.ts'
import type { PendingAction } from '../../lib/auth/pending-action.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { toast } from '../../ui/toast.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import { type Attempts, openAttempts } from './attempts.ts'
import { askAboutCard, type CardQuestion } from './card-question.ts'
import { paidMessage, refreshPaid } from './paid-message.ts'

type Checkout = 'create-subscription-checkout' | 'create-payment-checkout'

/** The response of both functions. `status` is only set if there is a saved card (D40). */
type CheckoutResponse =
  | { url?: string; reason?: 'authentication_required' | 'card_declined'; status?: undefined }
  | ({ status: 'confirm' } & CardQuestion)
  | { status: 'paid'; paymentId: string }

/** The result of a checkout. */
type Outcome = { url: string } | { paid: number } | { canceled: true }

type Options<Order> = {
  /** Called after a saved card was charged: the screen is still open. */
  onPaid?: (order: Order) => void
  /** Whether the screen shows this error itself; then there is no toast. */
  isHandled?: (error: Error) => boolean
}

/**
 * Charges a saved card after confirmation, or else opens the payment page. Visitors sign in first and
 * return here (GEN-40, SUB-03).
 */
export function useCheckout<Order extends Record<string, unknown>>(
  checkout: Checkout,
  failureTitle: string,
  { onPaid, isHandled }: Options<Order> = {},
) {
  const { user } = useSession()
  const askToSignIn = useAskToSignIn()
  const queryClient = useQueryClient()
  const [attempts] = useState(openAttempts)

  const opening = useMutation({
    mutationFn: (order: Order) =>
      checkout === 'create-payment-checkout' ? payOnce(order, attempts) : openPage(checkout, order),
    onSuccess: (outcome, order) => {
      if ('url' in outcome) return window.location.assign(outcome.url)
      opening.reset()
      if ('canceled' in outcome) return
      toast.joy(paidMessage(String(order.kind), outcome.paid))
      refreshPaid(queryClient)
      onPaid?.(order)
    },
    onError: (error) => void (isHandled?.(error) || toast.error(error.message, failureTitle)),
  })

  // The browser may restore this page from its cache after the checkout: enable the button again.
  const { reset } = opening
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])

  /** Resolves when the viewer is leaving or has paid; rejects with an error that has been shown. */
  const pay = async (order: Order) => {
    if (user) return void (await opening.mutateAsync(order))
    const { promotionCode, intervalCount } = order
    askToSignIn(actionOf(order), {
      ...(typeof promotionCode === 'string' && { code: promotionCode }),
      ...(typeof intervalCount === 'number' && { term: String(intervalCount) }),
    })
  }

  return {
    pay,
    start: (order: Order) => void pay(order).catch(() => undefined),
    /** The order being opened. Stays set on success, because a click while the page is leaving must not open a second checkout. */
    pending: opening.isPending || opening.isSuccess ? opening.variables : undefined,
    /** The error of the last attempt. */
    error: opening.error,
  }
}

/** What a visitor sees beside the sign-up form: the plan or post. Everything else is offered to users only. */
function actionOf({ productId, kind, targetId }: Record<string, unknown>): PendingAction | undefined {
  if (typeof productId === 'string') return { kind: 'subscribe', id: productId }
  return kind === 'ppv' ? { kind: 'buy', id: String(targetId) } : undefined
}

async function openPage(checkout: Checkout, order: Record<string, unknown>): Promise<Outcome> {
  const { url } = await callFunction<{ url?: string }>(checkout, order)
  if (!url) throw new Error(subscriptionTexts.noUrl)
  return { url }
}

async function payOnce(order: Record<string, unknown>, attempts: Attempts): Promise<Outcome> {
  const call = (savedCard: 'ask' | 'use' | 'skip', attempt: { attemptId?: string } = {}) =>
    callFunction<CheckoutResponse>('create-payment-checkout', { ...order, savedCard, ...attempt })
  const first = await call('ask')
  if (first.status !== 'confirm') return outcomeOf(first, 0)
  const choice = await askAboutCard(first)
  if (choice === 'cancel') return { canceled: true }
  const response =
    choice === 'use' ? await attempts.make(order, (attemptId) => call('use', { attemptId })) : await call(choice)
  return outcomeOf(response, first.amountCents)
}

function outcomeOf(response: CheckoutResponse, amountCents: number): Outcome {
  if (response.status === 'paid') return { paid: amountCents }
  if (response.status === 'confirm' || !response.url) throw new Error(subscriptionTexts.noUrl)
  // Show the reason here, before the fan leaves this page.
  if (response.reason) toast.info(payingTexts.card[response.reason])
  return { url: response.url }
}
