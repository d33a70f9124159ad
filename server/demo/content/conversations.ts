export type DemoMessage = {
  readonly by: string
  readonly content: string
  /** The name of a file in pictures/. */
  readonly picture?: string
  /** In cents. The message stays locked. */
  readonly price?: number
}

export type DemoConversation = {
  readonly between: readonly [string, string]
  /** Days before the first start at which it ended. */
  readonly day: number
  /** How many of the last messages the receiver hasn't opened yet. */
  readonly unread?: number
  readonly messages: readonly DemoMessage[]
}

/** Between the first creator and a fan, with a picture and a paid message; made at the first start. */
export const firstConversation: DemoConversation = {
  between: ['mara', 'sam'],
  day: 0,
  messages: [
    { by: 'sam', content: 'The valley at six is on my wall now, in my head at least. Which lens was that?' },
    { by: 'mara', content: 'A 50 from 1971 with a scratch on it. The scratch is why the sun looks kind.' },
    { by: 'sam', content: 'Is there one where the fog came back?' },
    { by: 'mara', content: 'There is. Two minutes later, same spot, hands colder.', picture: 'mara-fog' },
    { by: 'sam', content: 'That is the one. Thank you.' },
    {
      by: 'mara',
      content:
        'The whole roll, all thirty-six frames with my marks on them: frame 12 is the one that I almost threw away.',
      price: 400,
    },
  ],
}

/** The inboxes behind the printed logins. */
export const demoConversations: readonly DemoConversation[] = [
  {
    between: ['mara', 'lena'],
    day: 1.1,
    unread: 1,
    messages: [
      { by: 'lena', content: 'I printed the coast on the cheap printer at work. Is that a crime?' },
      { by: 'mara', content: 'Only if you did not use the good paper tray.' },
      { by: 'lena', content: 'I used the good paper tray.' },
      {
        by: 'mara',
        content: 'Then you are in the club. The print for this season leaves on Thursday, watch the stairs.',
      },
    ],
  },
  {
    between: ['mara', 'greta'],
    day: 0.3,
    unread: 2,
    messages: [
      { by: 'greta', content: 'One more question about fog and meters, and then I am quiet.' },
      {
        by: 'greta',
        content: 'Do you meter the fog you see, or the fog you expect by the time you have found the cable?',
      },
    ],
  },
  {
    between: ['mara', 'jonas'],
    day: 2.2,
    messages: [
      { by: 'jonas', content: 'The ward has your ridge as its desktop now. Three night nurses say thank you.' },
      { by: 'mara', content: 'This is the best wall I have ever hung on. Tell them good night, or good morning.' },
      { by: 'jonas', content: 'Both. Always both.' },
    ],
  },
  {
    between: ['mara', 'theo'],
    day: 5.4,
    messages: [
      {
        by: 'theo',
        content: 'May I use the valley in a talk about atmospheric perspective? There will be twelve of us and cake.',
      },
      { by: 'mara', content: 'Please do. Send me a picture of the cake.' },
      { by: 'theo', content: 'It shall be done, with correct exposure.' },
    ],
  },
  {
    between: ['mara', 'yara'],
    day: 0.15,
    unread: 1,
    messages: [{ by: 'yara', content: 'Is there still room in the print club?? I cleared a whole wall!!' }],
  },
  {
    between: ['tomas', 'lena'],
    day: 3.3,
    messages: [
      { by: 'lena', content: 'The bread is out. It is flat. It is delicious. What did I do?' },
      { by: 'tomas', content: 'You were in a hurry at the second fold, or your oven lies. Most ovens lie.' },
      { by: 'lena', content: 'It lies. I bought a thermometer. Forty degrees!' },
      { by: 'tomas', content: 'Then you have baked in hard mode. Next one will look you in the eye.' },
    ],
  },
  {
    between: ['tomas', 'imani'],
    day: 6.1,
    messages: [
      { by: 'imani', content: 'Can the soup be made with only things that a six-year-old agrees to?' },
      { by: 'tomas', content: 'Carrot, potato, an alphabet of noodles. Let them fish for their name.' },
      { by: 'imani', content: "They fished for each other's. Success and chaos." },
    ],
  },
  {
    between: ['tomas', 'ravi'],
    day: 9,
    messages: [
      { by: 'ravi', content: 'Hydration of the dough is 72 % if I include the water in the sourdough. Should I?' },
      { by: 'tomas', content: 'You should include dinner guests. But yes.' },
    ],
  },
  {
    between: ['nadia', 'lena'],
    day: 0.6,
    unread: 1,
    messages: [
      { by: 'lena', content: 'I have a chair now. What do I look at first?' },
      {
        by: 'nadia',
        content: 'East, after ten, two fists above the roofs. If it does not twinkle, say hello to Jupiter.',
      },
      { by: 'lena', content: 'It did not twinkle. I said hello.' },
      { by: 'nadia', content: 'It is clear again tomorrow. I will write when it is worth getting up.' },
    ],
  },
  {
    between: ['aiko', 'lena'],
    day: 12,
    messages: [
      { by: 'lena', content: 'The cup arrived whole, packed like an egg. I have had only tea from it since.' },
      { by: 'aiko', content: 'Coffee is allowed. It has a secret line inside for exactly that.' },
    ],
  },
  {
    between: ['juno', 'sam'],
    day: 0.9,
    unread: 1,
    messages: [
      { by: 'sam', content: 'Week three. The stairs at the office have stopped winning.' },
      { by: 'juno', content: 'They are training too, stay alert. How is the knee?' },
      { by: 'sam', content: 'Quiet. Suspiciously quiet.' },
      { by: 'juno', content: 'Leave it. On Thursday we look at it together, bring the stairs.' },
    ],
  },
  {
    between: ['pia', 'sam'],
    day: 4.5,
    messages: [
      { by: 'sam', content: 'My daughter wants to know if the house on the island has a bathroom.' },
      { by: 'pia', content: 'It has a very nice bathroom behind the wall that nobody sees. Tell her it is green.' },
      { by: 'sam', content: 'She knew it.' },
    ],
  },
  {
    between: ['robin', 'bea'],
    day: 2,
    messages: [
      { by: 'bea', content: 'Somebody is selling my skirt pattern on another site. Can you help, or only sympathize?' },
      {
        by: 'robin',
        content:
          'Here I can help: report it and I take it down the same day. Elsewhere, send them your first post, it has the date.',
      },
      { by: 'bea', content: 'Done, and down. Thank you. I owe you a hem.' },
    ],
  },
  {
    between: ['robin', 'noor'],
    day: 0.5,
    unread: 1,
    messages: [
      {
        by: 'robin',
        content: 'Welcome! Your application is through. If you want to sell plans, payouts are the next step.',
      },
      {
        by: 'noor',
        content: 'Thank you! I want to walk one more city first, then I will do the paperwork. Is that all right?',
      },
    ],
  },
]
