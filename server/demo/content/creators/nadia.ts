import type { DemoCreator } from '../types.ts'

export const nadia: DemoCreator = {
  username: 'nadia',
  displayName: 'Nadia Petrova',
  bio: 'The night sky from a car park, a balcony, and sometimes a mountain.',
  categories: ['Photography', 'Wellness'],
  standing: { months: 12, fans: 0.5 },
  plans: [
    {
      name: 'Clear nights',
      description: 'Raw frames, stacking notes, and a message when it is worth getting up.',
      priceCents: 500,
      interval: 'month',
      trialDays: 7,
    },
    {
      name: 'The observatory',
      description: 'Clear nights, and every picture at full size, to print as large as your wall.',
      priceCents: 4800,
      interval: 'year',
    },
  ],
  posts: [
    {
      day: 1.8,
      title: 'Above the tent',
      content:
        'Twenty-two frames of fifteen seconds. The light in the tent is a phone with a sock over it. Professional equipment.',
      pictures: ['nadia-milky-way'],
      appeal: 1.6,
      comments: [
        ['mateo', 'the sock!!!'],
        ['jonas', 'I look up in the hospital car park now. Thank you for that.'],
        ['imani', 'My class wants to know whether the sock was clean.'],
        ['nadia', 'It was a new sock. Science requires sacrifice, but not that one.'],
      ],
    },
    {
      day: 13.5,
      title: 'Six nights on one cloud',
      content:
        'Nine hours of light that left before there were cities. All frames, the darks, and how I pulled the red out without burning the stars.',
      audience: 'Clear nights',
      pictures: ['nadia-nebula'],
      comments: [
        ['ravi', 'Signal to noise of this set is frankly moving.'],
        ['zofia', 'Before there were cities. I read that twice.'],
      ],
    },
    {
      day: 27,
      title: 'Half a moon',
      content: 'The line between day and night is where the shadows are long. Look there first, always there.',
      pictures: ['nadia-moon'],
      comments: [['theo', 'The terminator, as we used to call it, long before the films. Splendid detail.']],
    },
    {
      day: 39,
      title: 'Where should I drive?',
      content: 'New moon in nine days, half a tank.',
      poll: {
        question: 'Where should I drive?',
        options: [
          ['The reservoir', 0.31],
          ['The pass, if it is open', 0.52],
          ['Stay home, it will be cloudy', 0.17],
        ],
      },
      comments: [['kofi', 'It will be cloudy. But drive.']],
    },
    {
      day: 55,
      title: 'One hour, turning',
      content: 'We turn, not they. I set an alarm for the battery and slept under it.',
      audience: 500,
      pictures: ['nadia-trails'],
      comments: [['hana', 'I did not know that an hour had a shape.']],
    },
    {
      day: 80,
      content: 'You need no telescope for the first year. You need a chair.',
      comments: [['owen', 'I have a chair.']],
    },
  ],
}
