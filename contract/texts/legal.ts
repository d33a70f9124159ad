import { creatorPercentOf } from '../fees.ts'

/** Privacy Policy and Terms of Service (STAT, D18): written for this product; who runs it comes from the operator's settings. */

export type Operator = { name: string; address: string; jurisdiction: string; supportEmail: string }
export type LegalSection = { title: string; paragraphs: string[]; points?: string[] }

/** Kept with each consent (AUTH-07, D16): raise it with every change of what the two documents mean. */
export const termsVersion = '2026-11'

export const legalTexts = {
  privacyTitle: 'Privacy Policy',
  termsTitle: 'Terms of Service',
  lastUpdated: (date: string) => `Last updated: ${date}`,
} as const

/** The operator's details in one sentence, leaving out what is not set. */
const contactLine = ({ name, address, supportEmail }: Operator): string =>
  [name, address, supportEmail].filter(Boolean).join(', ')

/** STAT-02, STAT-03 */
export const privacySections = (site: string, operator: Operator): LegalSection[] => [
  {
    title: 'Information We Collect',
    paragraphs: [
      `${operator.name || site} runs ${site}. We collect what you give us, what others give us about you, and what using ${site} leaves behind.`,
    ],
    points: [
      'Account: e-mail address, username, display name, password (kept only as a hash) and the time at which you agreed to the Terms of Service.',
      'Profile and content: pictures, biography, website, posts, messages, comments, and whom you follow or subscribe to.',
      'Creator identity: full name, address, social security number and pictures of an identity document, if you apply as a creator.',
      'Payments: what was bought, when, for how much, and the references of our payment provider. We never see or keep your full card number.',
      'Technical: the time of a request, your network address and the kind of browser, kept in server logs.',
    ],
  },
  {
    title: 'How We Use Your Information',
    paragraphs: [
      'We use your information to run the service you asked for, and for nothing you would not expect of it.',
    ],
    points: [
      'To show content to the people who may see it, and to nobody else.',
      'To take payments, pay creators and keep the books that the law requires.',
      'To verify that creators are who they say they are, and that everyone is at least 18.',
      'To tell you about what concerns you: subscribers, messages, payments and changes of your account.',
      'To keep the service safe from fraud, abuse and attack.',
    ],
  },
  {
    title: 'How We Share Your Information',
    paragraphs: ['We do not sell personal information. We share it only as follows.'],
    points: [
      'With other people: your public profile and posts with everyone, your subscriber-only posts with your subscribers, your messages with their recipient, and with our moderators those that the recipient reports.',
      'With creators: your name and the state of your subscription, if you subscribe to them.',
      'With service providers that work for us, such as our payment provider, for that work alone.',
      'With authorities, where the law obliges us to.',
    ],
  },
  {
    title: 'Security',
    paragraphs: [
      'Traffic is encrypted. Passwords are hashed. Social security numbers are encrypted, and each time one is revealed to a reviewer it is recorded. Identity documents and paid media are private: they open only through short-lived links, for those who may see them.',
      'No system is perfectly secure. If we learn of a breach that concerns you, we tell you without delay.',
    ],
  },
  {
    title: 'Payment Processing by Stripe',
    paragraphs: [
      'Payments and payouts are processed by Stripe. Card details are entered on Stripe’s pages and go to Stripe directly. Stripe’s own privacy policy applies to what it collects, and creators additionally accept Stripe’s Connected Account Agreement.',
    ],
  },
  {
    title: 'Cookies',
    paragraphs: [
      `${site} sets no advertising cookies and no third-party tracking. Your browser keeps what is needed to stay signed in, your choice of appearance and, if you followed one, a referral code. Clearing the site’s data in your browser removes all of it.`,
    ],
  },
  {
    title: 'Age 18+',
    paragraphs: [
      `${site} is for people who are at least 18 years old. We do not knowingly collect information about anyone younger. If we learn that an account belongs to a minor, we close it and delete its information.`,
    ],
  },
  {
    title: 'Your Rights',
    paragraphs: ['You can use these rights at any time; we answer within 30 days.'],
    points: [
      'Access: you may ask what we hold about you.',
      'Correction: you may change your profile yourself, and ask us to correct the rest.',
      'Deletion: you may have your account and its content deleted. Records of payments stay as long as the law requires.',
      'Marketing opt-out: you may refuse promotional e-mail; messages about your account and payments still reach you.',
      'Data copy: you may ask for a copy of your data in a common, machine-readable format.',
      'Complaint: you may turn to the data protection authority where you live.',
    ],
  },
  {
    title: 'Changes to This Policy',
    paragraphs: [
      'When this policy changes, the new text stands here. If a change matters for what we may do with your information, we tell you by e-mail or in the service before it takes effect.',
    ],
  },
  {
    title: 'Contact',
    paragraphs: [`Questions about privacy are welcome: ${contactLine(operator) || site}.`],
  },
]

/** STAT-05 */
export const termsSections = (site: string, operator: Operator, feePercent: number): LegalSection[] => {
  const company = operator.name || site
  const place = operator.jurisdiction || 'the place where the operator has its seat'
  return [
    {
      title: 'Acceptance of Terms',
      paragraphs: [
        `${company} runs ${site} and makes this agreement with you: by creating an account or using ${site} you accept these terms. If you do not, please do not use ${site}.`,
      ],
    },
    {
      title: 'Licence to Use the Service',
      paragraphs: [
        `We give you a personal, revocable, non-transferable right to use ${site} as these terms allow. Content that you pay for is for your own viewing: you may not copy, publish or resell it.`,
      ],
    },
    {
      title: 'Accounts',
      paragraphs: [
        'You must be at least 18 years old. Give true information, keep your password to yourself, and tell us if someone else uses your account. You are responsible for what happens in it. One person has one account.',
      ],
    },
    {
      title: 'Content Guidelines',
      paragraphs: ['You may publish only what you have the right to publish. The following is never allowed:'],
      points: [
        'anything sexual that involves minors, in any form;',
        'content showing people who did not agree to its publication;',
        'violence, threats, harassment, hatred, or encouragement of them;',
        'fraud, impersonation, spam, malware;',
        'content or services that are against the law.',
      ],
    },
    {
      title: 'Payment Terms',
      paragraphs: [
        'Prices are in US dollars. Subscriptions renew at the end of each period until you cancel; after cancelling, you keep access until the period that you paid for ends. Pay-per-view posts, tips and paid messages are charged once.',
        'Payments are processed by Stripe. Content that was delivered is not refunded, except where the law gives you that right or the content was not what was promised. If you dispute a charge, please write to us first.',
      ],
    },
    {
      title: 'Creator Responsibilities',
      paragraphs: [
        'Creators verify their identity before they publish, deliver what their plans promise, keep records of the age and consent of everyone shown, and pay their own taxes.',
        `The platform fee is ${feePercent}% of what a fan pays; the creator keeps ${creatorPercentOf(feePercent)}%. Payouts go to the creator’s connected Stripe account.`,
      ],
    },
    {
      title: 'Intellectual Property',
      paragraphs: [
        `What you publish remains yours. You give us the right to store, process and show it as far as running ${site} needs, and that right ends when you delete it. The name, design and software of ${site} belong to their owners.`,
        'If your work was published here without your permission, write to us, name the work and its address on this site, and we remove it.',
      ],
    },
    {
      title: 'Privacy',
      paragraphs: [
        'The Privacy Policy tells what we collect, why, and what your rights are. It is part of this agreement.',
      ],
    },
    {
      title: 'Termination',
      paragraphs: [
        'You may delete your account at any time. We may suspend or close an account that breaks these terms, with notice where that is possible and safe. Earnings that were lawfully made are paid out.',
      ],
    },
    {
      title: 'Disclaimer',
      paragraphs: [
        `${site} is provided as it is. We work to keep it running and safe, but we do not promise that it is free of errors or interruptions, and we do not vouch for what creators publish or promise.`,
      ],
    },
    {
      title: 'Limitations of Liability',
      paragraphs: [
        'As far as the law allows, we are not liable for indirect damage or lost profit, and in total for no more than what you paid through the service in the twelve months before the claim. Nothing limits liability for intent, gross negligence, or injury to life and health.',
      ],
    },
    {
      title: 'Accuracy of Materials',
      paragraphs: [
        `What stands on ${site} may contain mistakes or be out of date. We correct what we learn of, and we may change any part of the service. Statements of creators are their own.`,
      ],
    },
    {
      title: 'Modifications',
      paragraphs: [
        'We may change these terms. We announce changes that matter at least 30 days ahead, by e-mail or in the service. If you keep using the service after they take effect, you accept them; otherwise you may close your account.',
      ],
    },
    {
      title: 'Governing Law',
      paragraphs: [
        `These terms are governed by the law of ${place}, whose courts decide disputes. Rights that the law of your country of residence gives you as a consumer stay untouched.`,
      ],
    },
    {
      title: 'Contact',
      paragraphs: [`Questions about these terms: ${contactLine(operator) || site}.`],
    },
  ]
}
