/** Why a card was refused, in Stripe's codes and words. */
export type Decline = {
  code:
    | 'authentication_required'
    | 'bank_account_declined'
    | 'card_declined'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'payment_intent_authentication_failure'
    | 'processing_error'
    | 'resource_missing'
    | 'transfers_not_allowed'
  /** Absent if no bank was contacted. */
  declineCode?: string
  message: string
}

/** What a card does. Without any field it always pays. */
export type CardBehaviour = {
  /** A bank account rather than a card: the debit takes days, and then succeeds or not. */
  debit?: 'fails' | 'pays'
  /** Refused already when it is saved to a customer (and when charged). */
  onAttach?: Decline
  /** Saved, but every charge fails. */
  onCharge?: Decline
  /** Stripe itself blocks the charge before contacting a bank. */
  isBlocked?: true
  /** How likely Stripe takes a charge for a fraud. */
  risk?: 'elevated' | 'highest'
  /** What it pays is available at once, without the days that Stripe waits. */
  availableAtOnce?: true
  /** The buyer's bank takes the money back, or asks about it, as soon as it was paid. */
  dispute?: DisputeKind
  /** The buyer's bank warns of a fraud as soon as it was paid. */
  fraudWarning?: true
  /** A refund is `pending` for an hour, or fails after a day. */
  refund?: 'failing' | 'pending'
  /** The buyer's bank asks for a confirmation: for the first payment only, for every one while the buyer is there, or for every one. */
  authentication?: 'first' | 'on_session' | 'always'
  /** What the bank says of the security code and the address. */
  checks?: { cvc?: 'fail'; line1?: Check; postalCode?: Check }
}

type Check = 'fail' | 'unavailable'

/** `multiple`: one dispute for each half of the amount. */
export type DisputeKind = 'compliance' | 'fraudulent' | 'inquiry' | 'multiple' | 'product_not_received'

export type TestCard = { brand: string; funding: string; country: string; behaviour: CardBehaviour }

const declined = (
  declineCode: string,
  message = 'Your card was declined.',
  code: Decline['code'] = 'card_declined',
): CardBehaviour => {
  const decline = { code, declineCode, message }
  return { onAttach: decline, onCharge: decline }
}

const plainDecline: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
}
const noFunds: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
}
const blocked: CardBehaviour = {
  isBlocked: true,
  risk: 'highest',
  onCharge: { code: 'card_declined', declineCode: 'fraudulent', message: 'Your card was declined.' },
}

const visa = (behaviour: CardBehaviour = {}, country = 'US'): TestCard => ({
  brand: 'visa',
  funding: 'credit',
  country,
  behaviour,
})
const plain = (brand: string, funding = 'credit', country = 'US'): TestCard => ({
  brand,
  funding,
  country,
  behaviour: {},
})

/**
 * The numbers that Stripe documents for online payments (docs.stripe.com/testing). Those for card readers are none of them; a captcha, and
 * controls of Radar that are off in a new account, aren't played.
 */
export const testCards: Readonly<Record<string, TestCard>> = {
  '4242424242424242': visa(),
  '4000056655665556': plain('visa', 'debit'),
  '5555555555554444': plain('mastercard'),
  '2223003122003222': plain('mastercard'),
  '5200828282828210': plain('mastercard', 'debit'),
  '5105105105105100': plain('mastercard', 'prepaid'),
  '378282246310005': plain('amex'),
  '371449635398431': plain('amex'),
  '6011111111111117': plain('discover'),
  '6011000990139424': plain('discover'),
  '6011981111111113': plain('discover', 'debit'),
  '3056930009020004': plain('diners'),
  '36227206271667': plain('diners'),
  '6555900000604105': plain('discover', 'credit', 'KR'),
  '3566002020360505': plain('jcb', 'credit', 'JP'),
  '6200000000000005': plain('unionpay', 'credit', 'CN'),
  '6200000000000047': plain('unionpay', 'debit', 'CN'),
  '6205500000000000004': plain('unionpay', 'credit', 'CN'),
  // Of two networks.
  '4000002500001001': plain('visa', 'credit', 'FR'),
  '5555552500001001': plain('mastercard', 'credit', 'FR'),
  '4000050360000001': plain('visa', 'debit', 'AU'),
  '5555050360000080': plain('mastercard', 'debit', 'AU'),
  // Issued in another country.
  '4000000320000021': visa({}, 'AR'),
  '4000000760000002': visa({}, 'BR'),
  '4000001240000000': visa({}, 'CA'),
  '4000001520000001': visa({}, 'CL'),
  '4000001700000003': visa({}, 'CO'),
  '4000001880000005': visa({}, 'CR'),
  '4000002180000000': visa({}, 'EC'),
  '4000004840008001': visa({}, 'MX'),
  '4000005910000000': visa({}, 'PA'),
  '4000006000000066': visa({}, 'PY'),
  '4000006040000068': visa({}, 'PE'),
  '4000008580000003': visa({}, 'UY'),
  '4000007840000001': visa({}, 'AE'),
  '4000000400000008': visa({}, 'AT'),
  '4000000560000004': visa({}, 'BE'),
  '4000001000000000': visa({}, 'BG'),
  '4000001120000005': visa({}, 'BY'),
  '4000001910000009': visa({}, 'HR'),
  '4000001960000008': visa({}, 'CY'),
  '4000002030000002': visa({}, 'CZ'),
  '4000002080000001': visa({}, 'DK'),
  '4000002330000009': visa({}, 'EE'),
  '4000002460000001': visa({}, 'FI'),
  '4000002500000003': visa({}, 'FR'),
  '4000002760000016': visa({}, 'DE'),
  '4000002920000005': visa({}, 'GI'),
  '4000003000000030': visa({}, 'GR'),
  '4000003480000005': visa({}, 'HU'),
  '4000003720000005': visa({}, 'IE'),
  '4000003800000008': visa({}, 'IT'),
  '4000004280000005': visa({}, 'LV'),
  '4000004380000004': visa({}, 'LI'),
  '4000004400000000': visa({}, 'LT'),
  '4000004420000006': visa({}, 'LU'),
  '4000004700000007': visa({}, 'MT'),
  '4000005280000002': visa({}, 'NL'),
  '4000005780000007': visa({}, 'NO'),
  '4000006160000005': visa({}, 'PL'),
  '4000006200000007': visa({}, 'PT'),
  '4000006420000001': visa({}, 'RO'),
  '4000006820000007': visa({}, 'SA'),
  '4000007050000006': visa({}, 'SI'),
  '4000007030000001': visa({}, 'SK'),
  '4000007240000007': visa({}, 'ES'),
  '4000007520000008': visa({}, 'SE'),
  '4000007560000009': visa({}, 'CH'),
  '4000008260000000': visa({}, 'GB'),
  '4000000360000006': visa({}, 'AU'),
  '4000001560000002': visa({}, 'CN'),
  '4000003440000004': visa({}, 'HK'),
  '4000003560000008': visa({}, 'IN'),
  '4000003920000003': visa({}, 'JP'),
  '4000004580000002': visa({}, 'MY'),
  '4000005540000008': visa({}, 'NZ'),
  '4000007020000003': visa({}, 'SG'),
  '4000001580000008': visa({}, 'TW'),
  '4000007640000003': visa({}, 'TH'),
  '5062210000000009': plain('unknown', 'debit', 'MX'),
  '5200007840000022': plain('mastercard', 'credit', 'AE'),
  '4000058260000005': plain('visa', 'debit', 'GB'),
  '5555558265554449': plain('mastercard', 'credit', 'GB'),
  '3530111333300000': plain('jcb', 'credit', 'JP'),
  '4000057640000008': plain('visa', 'debit', 'TH'),
  // Declined.
  '4000000000000002': visa(declined('generic_decline')),
  '4000000000009995': visa(declined('insufficient_funds', noFunds.message)),
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
  '4000000000006975': visa(
    declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  ),
  '4000000000000341': visa({ onCharge: plainDecline }),
  // Fraud.
  '4100000000000019': visa(blocked),
  '4000000000004954': visa(blocked),
  '4000000000009235': visa({ risk: 'elevated' }),
  '4000008400000407': visa(),
  '4000008400000159': visa(),
  '4000008400001017': visa(),
  '4000008405600003': visa(),
  '4000000000000101': visa({ checks: { cvc: 'fail' } }),
  '4000000000000036': visa({ checks: { postalCode: 'fail' } }),
  '4000058400307872': visa({ risk: 'elevated', checks: { cvc: 'fail' } }),
  '4000058400306072': visa({ risk: 'elevated', checks: { postalCode: 'fail' } }),
  '4000000000000028': visa({ checks: { line1: 'fail' } }),
  '4000000000000010': visa({ checks: { line1: 'fail', postalCode: 'fail' } }),
  '4000000000000044': visa({ checks: { line1: 'unavailable', postalCode: 'unavailable' } }),
  '4000000000001208': visa(),
  '4000000000003725': visa(),
  '4000000000005423': visa({ fraudWarning: true }),
  // Disputes. The last three are prevented where an account has that turned on, which none has here.
  '4000000000000259': visa({ dispute: 'fraudulent' }),
  '6026507838377928': { ...plain('discover'), behaviour: { dispute: 'fraudulent' } },
  '4000000000002685': visa({ dispute: 'product_not_received' }),
  '4000000000001976': visa({ dispute: 'inquiry' }),
  '4000000404000079': visa({ dispute: 'multiple' }),
  '4000000404000038': visa({ dispute: 'fraudulent' }),
  '4000008400000779': visa({ dispute: 'compliance' }),
  '5105008400000002': { ...plain('mastercard'), behaviour: { dispute: 'compliance' } },
  '4000000001000043': visa({ dispute: 'fraudulent' }),
  '4000000404004816': visa({ dispute: 'fraudulent' }),
  '4000000404005649': visa({ dispute: 'fraudulent' }),
  '5105000300000018': { ...plain('mastercard'), behaviour: { dispute: 'fraudulent' } },
  // Refunds, balance.
  '4000000000007726': visa({ refund: 'pending' }),
  '4000000000005126': visa({ refund: 'failing' }),
  '4000000000000077': visa({ availableAtOnce: true }),
  '4000003720000278': visa({ availableAtOnce: true }, 'IE'),
  // The bank asks.
  '4000002500003155': visa({ authentication: 'first' }),
  '4000002760003184': visa({ authentication: 'always' }),
  '4000003800000446': visa({ authentication: 'on_session' }),
  '4000008260003178': visa({ authentication: 'always', onCharge: noFunds }),
  '4000000000003220': visa({ authentication: 'always' }, 'IE'),
  '4000008400000027': visa({ authentication: 'always' }),
  '4000000000003063': visa({ authentication: 'always' }),
  '4000008400001629': visa({ authentication: 'always', onCharge: plainDecline }),
  '4000582600000094': visa({ authentication: 'always' }, 'GB'),
  '4000582600000045': visa({ authentication: 'always' }, 'GB'),
  '4000582600000102': visa({ authentication: 'always' }, 'GB'),
  '4000582600000110': visa({ authentication: 'always' }, 'GB'),
  // The bank is to ask and can't.
  '4000008400001280': visa({ onCharge: plainDecline }),
  // The bank could be asked, and is not: it needn't, it fails, or it is content without.
  '4000000000003055': visa(),
  '4000000000003097': visa(),
  '4000000032200000': visa(),
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

/** The account that the payment is for can't receive it. No bank is contacted. */
export const destinationRefused: Decline = {
  code: 'transfers_not_allowed',
  message:
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
}

/** There is no card that could be asked. */
export const noCard: Decline = {
  code: 'resource_missing',
  message:
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
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
  pm_card_authenticationRequired: token('4000002760003184'),
  pm_card_authenticationRequiredOnSetup: token('4000002500003155'),
  pm_card_createDispute: token('4000000000000259'),
  pm_card_createDisputeInquiry: token('4000000000001976'),
  pm_card_createDisputeProductNotReceived: token('4000000000002685'),
  pm_card_createIssuerFraudRecord: token('4000000000005423'),
  pm_card_pendingRefund: token('4000000000007726'),
  pm_card_refundFail: token('4000000000005126'),
  pm_card_riskLevelElevated: token('4000000000009235'),
  pm_card_radarBlock: token('4100000000000019'),
  pm_card_de: token('4000002760000016'),
  pm_card_gb: token('4000008260000000'),
  pm_card_amex: token('378282246310005'),
  pm_card_bypassPending: token('4000000000000077'),
  pm_card_chargeDeclined: token('4000000000000002'),
  pm_card_chargeDeclinedInsufficientFunds: token('4000000000009995'),
  pm_card_chargeCustomerFail: token('4000000000000341'),
}
