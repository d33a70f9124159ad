import { splitPayment } from '../fees.ts'

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

/** Customer Support (SUPP). The times are words, not timers (D22). */

export const supportTexts = {
  title: 'Customer Support',
  intro: 'Look through the answers below, or write to us. You need no account to do so.',
  contact: {
    title: 'Contact us',
    email: 'Email support',
    /** SUPP-03 */
    responseTimes: 'Response times',
    times: [
      { kind: 'General', time: '24-48 hours' },
      { kind: 'Urgent', time: '2-4 hours' },
      { kind: 'Critical', time: '30 minutes' },
    ],
  },
  quickHelp: {
    title: 'Quick Help',
    message: 'Choose what it is about, and the form below is set to it.',
    /** SUPP-04, D43 */
    categories: {
      Account: 'Sign-in, profile, settings',
      Billing: 'Payments, refunds, plans',
      Technical: 'Something does not work',
      Safety: 'Reports, privacy, abuse',
      Creator: 'Applying, payouts, content',
      Other: 'Everything else',
    },
  },
  form: {
    title: 'Submit a Support Request',
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    category: 'Category',
    noCategory: 'Select a category',
    priority: 'Priority',
    priorities: { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' },
    message: 'Message',
    submit: 'Submit Request',
    /** SUPP-10 */
    submitting: 'Submitting...',
    errors: {
      name: 'Enter your name',
      email: 'Enter your email address',
      emailWrong: 'Enter an email address like name@example.com',
      subject: 'Enter a subject',
      message: 'Enter a message',
    },
    /** SUPP-06 */
    missing: { title: 'Missing Information', message: 'Please fill in all required fields.' },
    /** SUPP-11 */
    sent: { title: 'Support Request Submitted', message: "We'll get back to you within 24 hours." },
    /** SUPP-12 */
    failed: {
      title: 'Submission Failed',
      message: 'There was an error submitting your request. Please try again.',
    },
  },
  faq: {
    title: 'Frequently Asked Questions',
    /** SUPP-15..SUPP-22 */
    items: [
      {
        question: 'How do I become a creator?',
        answer:
          'Open your dashboard and apply with your name, your address and two pictures of an identity document. We review each application within 24 hours. Once yours is approved, connect a payout account, and you can define plans and publish.',
      },
      {
        question: 'What fee does the platform take?',
        answer: (feePercent: number) =>
          `The platform fee is ${feePercent}% of each payment. Of a subscription at ${dollars(999)} you receive ${dollars(splitPayment(999, feePercent).netCents)}. There are no further charges on our side.`,
      },
      {
        question: 'How do I cancel a subscription?',
        answer:
          'Go to Dashboard > Subscriptions, find the creator and cancel. You keep what you paid for until the end of the current period, and are not charged again.',
      },
      {
        question: 'When are payouts made?',
        answer:
          'Your earnings are paid to the account that you connected. A payout typically takes 2-7 business days to arrive at your bank.',
      },
      {
        question: 'Are my payments secure?',
        answer:
          'Yes. Payments run through our payment provider over an encrypted connection. Your card number goes to the provider alone: we never see or keep it.',
      },
      {
        question: 'How do I report content?',
        answer:
          'Open the menu of the post, comment, message or profile and choose Report. We look at each report. If it is urgent, write to us in the form on this page with the category Safety.',
      },
      {
        question: 'How do I change my username?',
        answer: 'Go to Settings > Account and enter the new one. Your old address stops working at once.',
      },
      {
        question: 'How do I delete my account?',
        answer:
          'Go to Settings > Account > Danger Zone. Deleting an account is irreversible: your profile, your posts and your messages cannot be brought back.',
      },
    ],
  },
  /** SUPP-23, D43 */
  cards: {
    title: 'More help',
    settings: {
      title: 'Account Settings',
      message: 'Your username, your email address, your password, or the end of your account.',
      action: 'Open Settings',
    },
    billing: {
      title: 'Billing Help',
      message: 'A charge you do not recognise, a refund, or a subscription that does not end.',
      action: 'Get billing help',
    },
    safety: {
      title: 'Safety & Security',
      message: 'Who may write to you, whom you have blocked, and what others see of you.',
      action: 'Open privacy settings',
    },
  },
} as const
