import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit, updated } from '../webhooks/emit.ts'
import { book } from './balance.ts'

type Charge = Kinds['charge']
type Dispute = Kinds['dispute']

const day = 86_400
/** How long the seller has to answer; then the dispute is lost. */
const answerDays = 9

/** The buyer's bank takes back what is left of a charge, from the platform alone: transfers and fees are the platform's to undo. */
export function openDispute(context: Context, charge: Charge): Dispute {
  const amount = charge.amount - charge.amount_refunded
  if (!charge.paid || charge.disputed || amount === 0) throw errors.state('This charge cannot be disputed.')
  const dispute = newDispute(context.now, charge, amount)
  const entry = book(context, {
    type: 'adjustment',
    amount: -amount,
    source: dispute.id,
    description: `Chargeback withdrawal for ${charge.id}`,
  })
  const opened = created(context, 'dispute', 'charge.dispute.created', { ...dispute, balance_transactions: [entry] })
  context.store.save<'charge'>({ ...charge, disputed: true })
  context.store.schedule(dispute.id, context.now + answerDays * day)
  emit(context, 'charge.dispute.funds_withdrawn', opened)
  return opened
}

/** The bank has decided. What is won comes back to the platform. */
export function closeDispute(context: Context, dispute: Dispute, status: 'won' | 'lost'): Dispute {
  if (dispute.status === 'won' || dispute.status === 'lost') return dispute
  context.store.schedule(dispute.id, null)
  const entries = [...dispute.balance_transactions]
  if (status === 'won')
    entries.push(
      book(context, {
        type: 'adjustment',
        amount: dispute.amount,
        source: dispute.id,
        description: `Chargeback reversal for ${dispute.charge}`,
      }),
    )
  const closed = updated(context, 'dispute', 'charge.dispute.closed', {
    ...dispute,
    balance_transactions: entries,
    status,
  })
  if (status === 'won') emit(context, 'charge.dispute.funds_reinstated', closed)
  return closed
}

/** Stripe's words for tests: this evidence wins, anything else loses. */
export function submitEvidence(context: Context, dispute: Dispute, text: string | null, submit: boolean): Dispute {
  if (dispute.status !== 'needs_response') throw errors.state('This dispute is closed; its evidence can not change.')
  const answered = updated(context, 'dispute', 'charge.dispute.updated', {
    ...dispute,
    evidence: { ...dispute.evidence, uncategorized_text: text },
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: text !== null,
      submission_count: dispute.evidence_details.submission_count + (submit ? 1 : 0),
    },
    status: submit ? 'under_review' : 'needs_response',
  })
  return submit ? closeDispute(context, answered, text === 'winning_evidence' ? 'won' : 'lost') : answered
}

const newDispute = (now: number, charge: Charge, amount: number): Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount,
  balance_transactions: [],
  charge: charge.id,
  created: now,
  currency: 'usd',
  enhanced_eligibility_types: [],
  evidence: {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: charge.receipt_email,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  },
  evidence_details: {
    due_by: now + answerDays * day,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: 'fraudulent',
  status: 'needs_response',
})
