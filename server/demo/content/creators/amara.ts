import type { DemoCreator } from '../types.ts'

export const amara: DemoCreator = {
  username: 'amara',
  displayName: 'Amara Diallo',
  bio: 'Goldsmith. I make rings that are meant to be worn to the garden.',
  website: 'https://example.com/amara',
  categories: ['Fashion', 'Art'],
  standing: { months: 11, fans: 0.4 },
  plans: [
    {
      name: 'At the bench',
      description: 'Every step of every piece, and what it cost in gold and nerves.',
      priceCents: 1000,
      interval: 'month',
    },
    {
      name: 'Atelier',
      description: 'At the bench, and a call each season about the piece you are planning.',
      priceCents: 12_000,
      interval: 'year',
    },
  ],
  posts: [
    {
      day: 2.2,
      title: 'The green one',
      content:
        'Four claws, one stone, eleven hours. It waited for the right finger for two years and found it on a Tuesday.',
      pictures: ['amara-solitaire'],
      appeal: 1.5,
      comments: [
        ['yara', 'I gasped on a bus!!'],
        ['chloe', 'Two years. Imagine being that sure.'],
        ['amara', 'The stone was sure. I only had to wait as long as it did.'],
      ],
    },
    {
      day: 14,
      title: 'Hammered, not polished',
      content:
        'Three hammers, one dent at a time, and why the inside stays smooth. With the temperatures, the sounds, and the ring that I ruined at the very end.',
      audience: 'At the bench',
      pictures: ['amara-bands'],
      comments: [
        ['greta', 'Thank you for showing the ruined one. It helps.'],
        ['lena', 'I wear one of these every day, and now I know why I do not feel it.'],
      ],
    },
    {
      day: 29,
      title: 'Three chains',
      content: 'Each link is soldered by hand. On good days I forget to count, on very good days I forget to eat.',
      pictures: ['amara-chains'],
      comments: [['hana', 'The middle one hangs like a held breath.']],
    },
    {
      day: 48,
      title: 'The bench, at eleven at night',
      content: 'Wax, files, gold dust in the tea. I sweep it up on Fridays, it pays for the cake.',
      pictures: ['amara-bench'],
      comments: [
        ['jonas', 'Fellow night worker. I raise my cup, it has no gold in it.'],
        ['kofi', 'What kind of cake are we talking about?'],
      ],
    },
    {
      day: 75,
      title: 'How to measure a finger',
      content: 'In the evening, when you are warm, twice, and not with string.',
      comments: [['owen', 'I used string. I would like to apologize to my wife.']],
    },
  ],
}
