/** Requests to support, from the demo's fans. `day` counts back from the first start. */
export const demoRequests = [
  {
    who: 'greta',
    day: 0.4,
    subject: 'A receipt with my company on it',
    category: 'Billing',
    message:
      'I pay for three creators from my studio. Can the receipts carry the name of the studio, and the tax number?',
    priority: 'normal',
    status: 'open',
  },
  {
    who: 'theo',
    day: 1.2,
    subject: 'I have bought the same post twice, I believe',
    category: 'Billing',
    message:
      'The page did not change after I paid, so I paid again. I see one receipt only. Please do not hurry on my account.',
    priority: 'high',
    status: 'in_progress',
  },
  {
    who: 'imani',
    day: 3.6,
    subject: 'Showing posts in a classroom',
    category: 'Other',
    message: 'May I show free posts on the wall in my class? The children would like to know who asks whom.',
    priority: 'low',
    status: 'open',
  },
  {
    who: 'mateo',
    day: 9,
    subject: 'the video stops at second six',
    category: 'Technical',
    message: 'only on my old phone. it is very old. i love it anyway. the phone and the video',
    priority: 'normal',
    status: 'resolved',
  },
] as const

/** Comments that fans have reported. */
export const demoReports = [
  {
    who: 'hana',
    day: 0.8,
    comment: 'I do not like carrots. I have now eaten a kilogram of carrots.',
    reason: 'other',
    details: 'Not serious, I pressed the wrong button while laughing. Please dismiss it.',
  },
  {
    who: 'jonas',
    day: 1.9,
    comment: 'It will be cloudy. But drive.',
    reason: 'scam',
    details: 'It was, in fact, clear.',
  },
] as const
