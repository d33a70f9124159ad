import type { DemoCreator } from '../types.ts'

export const mara: DemoCreator = {
  username: 'mara',
  displayName: 'Mara Lindqvist',
  bio: 'Landscapes on slow film. One roll a week, from places where the road ends.',
  website: 'https://example.com/mara',
  categories: ['Photography', 'Travel'],
  standing: { months: 12, fans: 0.85 },
  plans: [
    {
      name: 'Darkroom',
      description: 'Every frame of the week, with notes on light and place.',
      priceCents: 999,
      interval: 'month',
    },
    {
      name: 'Print Club',
      description: 'The Darkroom, and one signed print a season.',
      priceCents: 2900,
      interval: 'month',
    },
  ],
  page: {
    accentColor: '#3d6149',
    welcome:
      'New here? I carry one camera to places without a parking lot, and bring back one roll a week. Start with the valley. The contact sheets are in the Darkroom, thumbs and all.',
    links: [
      { label: 'Prints', url: 'https://example.com/mara/prints' },
      { label: 'Exhibitions', url: 'https://example.org/mara-lindqvist' },
    ],
    featured: 'Where the valley opens',
  },
  sessions: [
    {
      title: 'Portfolio evening',
      description: 'Bring twelve pictures. We find the six that belong together, and talk about the other six.',
      minutes: 45,
      priceCents: 6500,
    },
  ],
  products: [
    {
      title: 'Salt and Fog, the zine',
      description:
        'Six pictures from one week on the coast, in the order in which I walked them. A PDF for screens and for your own printer.\n\nPages: 6. No words, except on the last one.',
      priceCents: 800,
      takesMore: true,
      cover: 'mara-coast-1',
      files: [
        {
          name: 'Salt and Fog.pdf',
          pages: ['mara-coast-1', 'mara-coast-2', 'mara-coast-3', 'mara-coast-4', 'mara-fog', 'mara-ridge'],
        },
      ],
    },
    {
      title: 'Slow film presets',
      description:
        'Three looks for digital files that should feel like slow film: one for fog, one for the hour before sunrise, and one for snow. For Lightroom and Camera Raw.',
      priceCents: 1900,
      subscriberPercentOff: 25,
      cover: 'mara-ridge',
      files: [
        {
          name: 'Fog at f8.xmp',
          looks: { Contrast2012: '-18', Highlights2012: '-32', Shadows2012: '+14', Dehaze: '-12', GrainAmount: '22' },
        },
        {
          name: 'Before sunrise.xmp',
          looks: { Temperature: '4650', Exposure2012: '-0.25', Blacks2012: '+9', Saturation: '-14', GrainAmount: '26' },
        },
        {
          name: 'Snow without blue.xmp',
          looks: { Temperature: '6100', Whites2012: '+12', Vibrance: '-20', Clarity2012: '-6', GrainAmount: '18' },
        },
        {
          name: 'Read me.txt',
          text: 'Import the three .xmp files as presets. Start with the exposure: fog is brighter than it feels.\n',
        },
      ],
    },
  ],
  posts: [
    {
      day: 0.4,
      title: 'Where the valley opens',
      content:
        'Up at four for this one. The sun cleared the ridge for six minutes, then the fog took everything back. Shot at f/8, half a second, hands in my sleeves.',
      pictures: ['mara-valley'],
      pinned: true,
      appeal: 1.6,
      comments: [
        [
          'theo',
          'The second ridge from the left reminds me of a woodcut I had above my desk for thirty years. Thank you.',
        ],
        ['yara', 'SIX MINUTES. I would have missed it making tea!!'],
        ['mara', 'I nearly did. The tea went cold on the tripod bag.'],
        ['greta', 'Which film at that hour? I get mud at half a second.'],
        ['mara', 'Rated at 50, metered for the fog and opened up one stop. Fog is brighter than it feels.'],
        ['jonas', 'Saw this coming off a night shift. Best thing I have seen in fourteen hours.'],
      ],
    },
    {
      day: 3,
      title: 'Contact sheet no. 31',
      content:
        'Three days on the coast and thirty-six frames. These are the four I kept, and why the other thirty-two had to go: too much sky, too little patience, and one thumb. The second frame is the one I would hang.',
      audience: 'Darkroom',
      pictures: ['mara-coast-1', 'mara-coast-2', 'mara-coast-3', 'mara-coast-4'],
      appeal: 1.2,
      comments: [
        ['lena', 'The second one. Of course the second one. How long was it open?'],
        ['mara', 'Ninety seconds. I counted out loud and a dog sat down to listen.'],
        ['zofia', 'Frame four looks like a memory of frame three.'],
      ],
    },
    {
      day: 6,
      content: 'Eight seconds of an evening that took two hours. Sound off, screen bright.',
      video: true,
      comments: [
        ['mateo', 'watched it nine times'],
        ['hana', 'It breathes. I did not expect that from a hill.'],
      ],
    },
    {
      day: 11,
      title: 'Which roll should I print next?',
      content: 'I have paper for twelve and room on the drying line for ten. You decide, I make the tea.',
      poll: {
        question: 'Which roll should I print next?',
        options: [
          ['The valley, all six minutes of it', 0.46],
          ['The coast in black and white', 0.33],
          ['The ridge at dusk', 0.21],
        ],
      },
      comments: [
        ['owen', 'Coast. The valley will sell itself.'],
        ['chloe', 'The ridge. Somebody has to.'],
      ],
    },
    {
      day: 19,
      title: 'Last light on the long ridge',
      content:
        'Two exposures before the cable froze. This is the first; the second is in my pocket and will stay there. Printed warm, because it was not.',
      pictures: ['mara-ridge'],
      comments: [
        ['ravi', 'What temperature does a cable release give up at? Asking for my own fingers.'],
        ['mara', 'Minus eleven, apparently. The fingers went first.'],
        ['imani', 'Showed this to my class. One of them asked who owns the light.'],
      ],
    },
    {
      day: 33,
      title: 'North face, noon',
      content:
        'Nobody photographs mountains at noon, so the path was empty. A red filter turns the sky into slate and gives the snow its edges back. The whole set, at print size, with the two I spoiled so that you can see how.',
      audience: 900,
      pictures: ['mara-summit'],
      appeal: 0.8,
      comments: [['kofi', 'Bought it for the spoiled ones. They are my favorite genre.']],
    },
    {
      day: 52,
      title: 'How I pack for a week without a car',
      content:
        'One body, two lenses, nine rolls in a sandwich bag. The tripod is the only thing I never regret. A list, with weights, and the three things I carried for years before I noticed that I never used them.',
      audience: 'Darkroom',
      comments: [
        ['greta', 'The sandwich bag is genius, I have been paying for pouches.'],
        ['sam', 'Which were the three things? Do not say the good camera.'],
        ['mara', 'A second light meter, a rain cover, and hope.'],
      ],
    },
    {
      day: 78,
      title: 'Why slow film',
      content:
        'Because it makes me wait, and when I wait I look. That is the whole secret, I have nothing else. The first rolls of this winter are hanging over the bath.',
      comments: [
        ['theo', 'I taught physics for forty years and never explained exposure this well.'],
        ['jonas', 'Waiting as a tool. Stealing that for the ward.'],
      ],
    },
  ],
  stories: [
    {
      picture: 'mara-fog',
      caption: 'Five in the morning, and the valley is still asleep.',
      alt: 'Fog between dark hills before sunrise',
      audience: 'everyone',
      highlight: 'Mornings',
    },
    {
      picture: 'mara-coast-2',
      caption: 'For you only: the frame that nearly fell into the sea.',
      alt: 'Waves on a rocky coast',
      audience: 'subscribers',
    },
  ],
}
