import { creatorPercentOf } from '../fees.ts'

/** Privacy Policy and Terms of Service (STAT, D18): written for this product. The operator's details come from the settings. */

export type Operator = { name: string; address: string; jurisdiction: string; supportEmail: string }
export type LegalSection = { title: string; paragraphs: string[]; points?: string[] }

/** Stored with each consent (AUTH-07, D16). Raise it whenever the meaning of either document changes. */
export const termsVersion = '2026-11'

export const legalTexts = {
  privacyTitle: 'Privacy Policy',
  termsTitle: 'Terms of Service',
  lastUpdated: (date: string) => `Last updated: ${date}`,
} as const

/** The operator's details in one sentence, without those that aren't set. */
const contactLine = ({ name, address, supportEmail }: Operator): string =>
  [name, address, supportEmail].filter(Boolean).join(', ')

/** STAT-02, STAT-03 */
export const privacySections = (site: string, operator: Operator): LegalSection[] => [
  {
    title: 'Information we collect',
    paragraphs: [
      `${operator.name || site} runs ${site}. We collect information you give us, information others give us about you, and information created when you use ${site}.`,
    ],
    points: [
      'Account: email, username, display name, password (stored only as a hash), and when you agreed to the Terms of Service.',
      'Profile and content: photos, bio, website, posts, messages, comments, and who you follow or subscribe to.',
      'Creator identity: full name, address, Social Security number, and photos of an identity document, if you apply as a creator.',
      "Payments: what you bought, when, for how much, and our payment provider's reference numbers. We never see or store your full card number.",
      'Technical: the time of each request, your IP address, and your browser type, stored in server logs.',
    ],
  },
  {
    title: 'How we use your information',
    paragraphs: ["We use your information only to run the service, in ways you'd expect."],
    points: [
      'To show content only to people with permission to see it.',
      'To take payments, pay creators, and keep the records the law requires.',
      'To verify that creators are who they say they are, and that everyone is at least 18.',
      'To notify you about subscribers, messages, payments, and changes to your account.',
      'To protect the service from fraud, abuse, and attacks.',
    ],
  },
  {
    title: 'How we share your information',
    paragraphs: ['We do not sell personal information. We share it only as follows.'],
    points: [
      'With other people: your public profile and posts with everyone, your subscriber-only posts with your subscribers, your messages with their recipients, and any messages a recipient reports with our moderators.',
      'With creators: your name and subscription status, if you subscribe to them.',
      'With service providers that work for us, such as our payment provider, only for that work.',
      'With authorities, when the law requires it.',
    ],
  },
  {
    title: 'Security',
    paragraphs: [
      'We encrypt traffic and hash passwords. We encrypt Social Security numbers and record each time a reviewer views one. Identity documents and paid media are private and open only through short-lived links, for people with permission to see them.',
      'No system is perfectly secure. If we learn of a breach that affects you, we will notify you without delay.',
    ],
  },
  {
    title: 'Payment processing by Stripe',
    paragraphs: [
      "Stripe processes payments and payouts. You enter card details on Stripe's pages, and they go directly to Stripe. Stripe's own privacy policy applies to what it collects, and creators also accept Stripe's Connected Account Agreement.",
    ],
  },
  {
    title: 'Cookies',
    paragraphs: [
      `${site} uses no advertising cookies and no third-party tracking. Your browser stores what it needs to keep you signed in, your appearance setting, a referral code if you followed a referral link, and for 30 days which creators' links you opened. Clear the site's data in your browser to remove all of it.`,
    ],
  },
  {
    title: 'Age 18+',
    paragraphs: [
      `${site} is for people who are at least 18 years old. We do not knowingly collect information about anyone younger. If we learn that an account belongs to a minor, we close it and delete its information.`,
    ],
  },
  {
    title: 'Your rights',
    paragraphs: ['You can use these rights at any time. We respond within 30 days.'],
    points: [
      'Access: you can ask what information we have about you.',
      'Correction: you can change your profile yourself and ask us to correct the rest.',
      'Deletion: you can have your account and its content deleted. We keep payment records as long as the law requires.',
      "Marketing opt-out: you can opt out of promotional email. You'll still get emails about your account and payments.",
      'Data copy: you can ask for a copy of your data in a common, machine-readable format.',
      'Complaint: you can contact the data protection authority where you live.',
    ],
  },
  {
    title: 'Changes to this policy',
    paragraphs: [
      'When this policy changes, we will post the new version here. If a change affects what we may do with your information, we will tell you by email or in the service before it takes effect.',
    ],
  },
  {
    title: 'Contact',
    paragraphs: [`Questions about privacy? Contact us: ${contactLine(operator) || site}.`],
  },
]

/** STAT-05 */
export const termsSections = (site: string, operator: Operator, feePercent: number): LegalSection[] => {
  const company = operator.name || site
  const place = operator.jurisdiction || 'the place where the operator is established'
  return [
    {
      title: 'Acceptance of terms',
      paragraphs: [
        `${company} runs ${site} and makes this agreement with you. By creating an account or using ${site}, you accept these terms. If you do not accept them, please do not use ${site}.`,
      ],
    },
    {
      title: 'License to use the service',
      paragraphs: [
        `We give you a personal, revocable, non-transferable right to use ${site} as these terms allow. Content that you pay for is for your own viewing: you may not copy, publish or resell it.`,
      ],
    },
    {
      title: 'Accounts',
      paragraphs: [
        'You must be at least 18 years old. Provide accurate information, keep your password private, and tell us if someone else uses your account. You are responsible for activity in your account. Each person may have one account.',
      ],
    },
    {
      title: 'Content guidelines',
      paragraphs: ['You may publish only what you have the right to publish. The following is never allowed:'],
      points: [
        'anything sexual that involves minors, in any form;',
        'content that shows people who did not consent to its publication;',
        'violence, threats, harassment, or hatred, or encouraging any of these;',
        'fraud, impersonation, spam, or malware;',
        'illegal content or services.',
      ],
    },
    {
      title: 'Payment terms',
      paragraphs: [
        'Prices are in US dollars. Subscriptions renew at the end of each period until you cancel. After you cancel, you keep access until the period you paid for ends. Pay-per-view posts, tips and paid messages are charged once.',
        'Stripe processes payments. We do not refund content that was delivered, except where the law gives you that right or the content was not as promised. Please contact us before you dispute a charge.',
      ],
    },
    {
      title: 'Creator responsibilities',
      paragraphs: [
        'Creators must verify their identity before they publish, deliver what their plans promise, keep records of the age and consent of everyone shown, and pay their own taxes.',
        `The platform fee is ${feePercent}% of what a fan pays; the creator keeps ${creatorPercentOf(feePercent)}%. Payouts go to the creator's connected Stripe account.`,
      ],
    },
    {
      title: 'Intellectual property',
      paragraphs: [
        `You own what you publish. You give us the right to store, process, and show it as needed to run ${site}. That right ends when you delete it. The name, design, and software of ${site} belong to their owners.`,
        'If someone published your work here without permission, contact us with the name of the work and its URL on this site, and we will remove it.',
      ],
    },
    {
      title: 'Privacy',
      paragraphs: [
        'The Privacy Policy explains what we collect, why, and what your rights are. It is part of this agreement.',
      ],
    },
    {
      title: 'Termination',
      paragraphs: [
        'You may delete your account at any time. We may suspend or close an account that breaks these terms, with notice when it is possible and safe. We pay out lawful earnings.',
      ],
    },
    {
      title: 'Disclaimer',
      paragraphs: [
        `${site} is provided as is. We work to keep it running and safe, but we do not promise that it is free of errors or interruptions, and we do not vouch for what creators publish or promise.`,
      ],
    },
    {
      title: 'Limitations of liability',
      paragraphs: [
        'As far as the law allows, we are not liable for indirect damages or lost profits, and our total liability is limited to what you paid through the service in the twelve months before the claim. Nothing limits liability for intent, gross negligence, or injury to life and health.',
      ],
    },
    {
      title: 'Accuracy of materials',
      paragraphs: [
        `Content on ${site} may contain errors or be out of date. We correct errors we learn about, and we may change any part of the service. Creators' statements are their own.`,
      ],
    },
    {
      title: 'Modifications',
      paragraphs: [
        'We may change these terms. We announce significant changes at least 30 days in advance, by email or in the service. If you keep using the service after they take effect, you accept them. Otherwise, you may close your account.',
      ],
    },
    {
      title: 'Governing law',
      paragraphs: [
        `The law of ${place} governs these terms, and its courts decide disputes. They do not affect your consumer rights under the law of the country where you live.`,
      ],
    },
    {
      title: 'Contact',
      paragraphs: [`Questions about these terms? Contact us: ${contactLine(operator) || site}.`],
    },
  ]
}
