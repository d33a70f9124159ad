import type { DemoCreator } from '../types.ts'

export const dario: DemoCreator = {
  username: 'dario',
  displayName: 'Dario Conti',
  bio: 'Night music. Tape, keys, and the sound of the street below the window.',
  categories: ['Art', 'Lifestyle'],
  standing: { months: 10, fans: 0.5 },
  plans: [
    {
      name: 'After midnight',
      description: 'A new piece every week, before anybody else, with its stems.',
      priceCents: 600,
      interval: 'month',
    },
    {
      name: 'Patch notes',
      description: 'After midnight, and every patch, session file, and wrong turn.',
      priceCents: 1500,
      interval: 'month',
    },
  ],
  page: {
    accentColor: '#7b4bc4',
    welcome:
      'Good evening. Everything here was recorded after dark, with the window open. Headphones help, neighbors too.',
    links: [
      { label: 'Records', url: 'https://example.com/dario/records' },
      { label: 'Nights', url: 'https://example.org/dario-conti' },
    ],
    featured: 'The upright downstairs',
  },
  sessions: [
    {
      title: 'Listen to my track',
      description: 'One track, twice, and everything I hear in it. Kind, and in detail.',
      minutes: 30,
      priceCents: 4000,
    },
  ],
  posts: [
    {
      day: 0.9,
      title: 'Rain on the third take',
      content:
        'It started raining on the third take, so the third take is the one. Windows open, microphone on the sill.',
      pictures: ['dario-street'],
      appeal: 1.3,
      comments: [
        ['jonas', 'Played this in the break room at four. Nobody spoke. Correct.'],
        ['chloe', 'The bus at 1:40 is in key.'],
        ['dario', 'The bus is always in key. I transpose around it.'],
      ],
    },
    {
      day: 10,
      title: 'Two knobs',
      content:
        'Everything in this piece is two knobs, very slowly. Which two, the patch, and the eleven minutes before I found them.',
      audience: 'After midnight',
      pictures: ['dario-knobs'],
      comments: [['ravi', "Knob one: two o'clock. Knob two: regret. Lovely."]],
    },
    {
      day: 17,
      title: 'The upright downstairs',
      content:
        'My neighbor lets me play her piano if I leave the lid as I found it and the tea warmer than I found it.',
      pictures: ['dario-keys'],
      comments: [
        ['theo', 'An excellent arrangement in both senses.'],
        ['imani', 'More neighbors like this.'],
      ],
    },
    {
      day: 31,
      title: 'Side B',
      content:
        'A portrait of side B, close enough to read the groove. Every scratch is a hiss that I could have removed and did not. The one I love is near the edge.',
      audience: 1000,
      pictures: ['dario-vinyl'],
      comments: [['kofi', 'The hiss is the best player on it.']],
    },
    {
      day: 45,
      title: 'Singing, once',
      content: 'I do not sing. This is me not singing.',
      audience: 'After midnight',
      pictures: ['dario-microphone'],
      comments: [['yara', 'SIR. You sing!!']],
    },
    {
      day: 74,
      content: 'If you record one thing this week, record a room with nobody in it. Then listen to who is missing.',
      comments: [['hana', 'I recorded my kitchen. It hums in B flat.']],
    },
  ],
}
