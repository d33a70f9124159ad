/** Why a card was refused, in Stripe's codes and words. */
export type Decline = {
  code:
    | 'authentication_required'
    | 'card_declined'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'payment_intent_authentication_failure'
    | 'processing_error'
  declineCode: string
  message: string
}

/** What a card does. Without any field it always pays. */
export type CardBehaviour = {
  /** Refused already when it is saved to a customer (and when charged). */
  onAttach?: Decline
  /** Saved, but every charge fails. */
  onCharge?: Decline
  /** The buyer's bank takes the money back as soon as it was paid. */
  dispute?: true
  /** The buyer's bank asks for a confirmation: for the first payment only, or for every one. */
  authentication?: 'first' | 'always'
}

export type TestCard = { brand: string; funding: string; behaviour: CardBehaviour }

const declined = (
  declineCode: string,
  message = 'Your card was declined.',
  code: Decline['code'] = 'card_declined',
): CardBehaviour => {
  const decline = { code, declineCode, message }
  return { onAttach: decline, onCharge: decline }
}

const visa = (behaviour: CardBehaviour = {}): TestCard => ({ brand: 'visa', funding: 'credit', behaviour })

/** The numbers that Stripe documents for tests (docs.stripe.com/testing), as far as the sandbox acts on them. */
export const testCards: Readonly<Record<string, TestCard>> = {
  '4242424242424242': visa(),
  '4000056655665556': { brand: 'visa', funding: 'debit', behaviour: {} },
  '5555555555554444': { brand: 'mastercard', funding: 'credit', behaviour: {} },
  '5200828282828210': { brand: 'mastercard', funding: 'debit', behaviour: {} },
  '378282246310005': { brand: 'amex', funding: 'credit', behaviour: {} },
  '6011111111111117': { brand: 'discover', funding: 'credit', behaviour: {} },
  '4000000000000002': visa(declined('generic_decline')),
  '4000000000009995': visa(declined('insufficient_funds', 'Your card has insufficient funds.')),
  '4000000000009987': visa(declined('lost_card')),
  '4000000000009979': visa(declined('stolen_card')),
  '4000000000000069': visa(declined('expired_card', 'Your card has expired.', 'expired_card')),
  '4000000000000127': visa(declined('incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc')),
  '4000000000000119': visa(
    declined(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
      'processing_error',
    ),
  ),
  '4000000000000341': visa({
    onCharge: { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
  }),
  '4000000000000259': visa({ dispute: true }),
  '4000002500003155': visa({ authentication: 'first' }),
  '4000002760003184': visa({ authentication: 'always' }),
}

/** Documented at Stripe, and not acted on here: taking them as plain cards would be a lie. */
export const refusedCards: Readonly<Record<string, string>> = {
  '4000000000002685': 'This sandbox does not take the dispute test card.',
  '4000000000001976': 'This sandbox does not take the inquiry test card.',
}

/** A real card has no business here: it is refused with Stripe's words and never stored. */
export const realCard: Decline = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. Your request was in test mode, but used a non test card.',
}

/** The bank's confirmation did not come. */
export const authenticationFailed: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_required',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/** The bank wants the card holder, who is not there. */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

const token = (number: string, last4 = number.slice(-4)) => {
  const card = testCards[number] ?? visa()
  return { ...card, last4, expMonth: 12, expYear: 2034 }
}

/** Stripe's ready-made payment methods, by the token that stands for them. */
export const tokens: Readonly<Record<string, ReturnType<typeof token>>> = {
  pm_card_visa: token('4242424242424242'),
  pm_card_visa_debit: token('4000056655665556'),
  pm_card_mastercard: token('5555555555554444'),
  pm_card_amex: token('378282246310005'),
  pm_card_chargeDeclined: token('4000000000000002'),
  pm_card_chargeDeclinedInsufficientFunds: token('4000000000009995'),
  pm_card_chargeCustomerFail: token('4000000000000341'),
}
