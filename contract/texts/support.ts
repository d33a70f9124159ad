import { splitPayment } from '../fees.ts'

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

/** Customer Support (SUPP). The times are words, not timers (D22). */

export const supportTexts = {
  title: 'Customer Support',
  intro: "Browse the answers below, or send us a message. You don't need an account.",
  contact: {
    title: 'Contact us',
    email: 'Email support',
    /** In place of an address that isn't set. */
    form: 'Use the form below. We answer by email.',
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
    message: 'Pick a topic to fill in the form below.',
    /** SUPP-04, D43 */
    categories: {
      Account: 'Sign-in, profile, settings',
      Billing: 'Payments, refunds, plans',
      Technical: "Something isn't working",
      Safety: 'Reports, privacy, abuse',
      Creator: 'Applying, payouts, content',
      Other: 'Everything else',
    },
  },
  form: {
    title: 'Submit a support request',
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    category: 'Category',
    noCategory: 'Select a category',
    priority: 'Priority',
    priorities: { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' },
    message: 'Message',
    submit: 'Submit request',
    /** SUPP-10 */
    submitting: 'Submitting...',
    errors: {
      name: 'Enter your name',
      email: 'Enter your email',
      emailWrong: 'Enter an email like name@example.com',
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
    title: 'Frequently asked questions',
    /** SUPP-15..SUPP-22 */
    items: [
      {
        question: 'How do I become a creator?',
        answer:
          "Open your dashboard and apply with your name, address, and two photos of your ID. We review applications within 24 hours. Once you're approved, connect your payout account, create your plans, and start publishing.",
      },
      {
        question: 'How much is the platform fee?',
        answer: (feePercent: number) =>
          `The platform fee is ${feePercent}% of each payment. For a ${dollars(999)} subscription, you get ${dollars(splitPayment(999, feePercent).netCents)}. We don't charge any other fees.`,
      },
      {
        question: 'How do I cancel a subscription?',
        answer:
          "Go to Dashboard > Subscriptions, find the creator, and select Cancel. You keep access until the end of the current period and won't be charged again.",
      },
      {
        question: 'When do I get my payouts?',
        answer:
          'We send your earnings to your connected payout account. A payout typically takes 2-7 business days to reach your bank.',
      },
      {
        question: 'Are my payments secure?',
        answer:
          'Yes. Our payment provider handles payments over an encrypted connection. Your card number goes straight to the provider, so we never see or store it.',
      },
      {
        question: 'How do I report content?',
        answer:
          "Open the menu on the post, comment, message, or profile and choose Report. We review every report. If it's urgent, use the form on this page and choose the Safety category.",
      },
      {
        question: 'How do I change my username?',
        answer: 'Go to Settings > Account and enter a new one. Your old profile URL stops working right away.',
      },
      {
        question: 'How do I delete my account?',
        answer:
          "Go to Settings > Account > Danger Zone. Deleting an account is irreversible. You can't get your profile, posts, or messages back.",
      },
    ],
  },
  /** SUPP-23, D43 */
  cards: {
    title: 'More help',
    settings: {
      title: 'Account Settings',
      message: 'Change your username, email, or password, or delete your account.',
      action: 'Open settings',
    },
    billing: {
      title: 'Billing Help',
      message: "Get help with an unfamiliar charge, a refund, or a subscription you can't cancel.",
      action: 'Get billing help',
    },
    safety: {
      title: 'Safety & Security',
      message: "Manage who can message you, who you've blocked, and what others can see.",
      action: 'Open privacy settings',
    },
  },
} as const
