import type { DemoCreator } from '../types.ts'

export const aiko: DemoCreator = {
  username: 'aiko',
  displayName: 'Aiko Tanabe',
  bio: 'Stoneware for every day. I make forty bowls to keep nine.',
  website: 'https://example.com/aiko',
  categories: ['Art', 'Lifestyle'],
  standing: { months: 12, fans: 0.6 },
  plans: [
    {
      name: 'Apprentice',
      description: 'Glaze recipes, kiln logs, and every firing from the inside.',
      priceCents: 800,
      interval: 'month',
    },
    {
      name: 'First choice',
      description: 'Apprentice, and two days with the new pieces before the shop opens.',
      priceCents: 2200,
      interval: 'month',
    },
  ],
  posts: [
    {
      day: 1.2,
      title: 'Out of the kiln',
      content:
        'Four that came out as I meant them, which is three more than last time. The cobalt ran where it wanted to and was right.',
      pictures: ['aiko-group'],
      appeal: 1.5,
      comments: [
        ['greta', 'The moon jar. I would carry it home on the train in my lap.'],
        ['aiko', 'Somebody did, once. Four hours. They sent me a picture of its seat.'],
        ['zofia', 'The shadow on the wall is part of the set, I hope?'],
      ],
    },
    {
      day: 7,
      title: 'Where the glaze stops',
      content:
        'A finger above the foot, always, or the shelf keeps the pot. The full recipe of this shino, the firing curve, and the test tiles that taught me to leave it alone.',
      audience: 'Apprentice',
      pictures: ['aiko-glaze'],
      comments: [
        ['ravi', 'Is the curve available as numbers? I would like to plot it. I may already have plotted it.'],
        ['aiko', 'Of course you have. Numbers are in the second picture now.'],
      ],
    },
    {
      day: 20,
      title: 'Three bowls',
      content: 'Moss, shino, celadon. Same clay, same hour, three tempers.',
      pictures: ['aiko-bowls'],
      comments: [
        ['hana', "The middle one is somebody's favorite bowl already."],
        ['mateo', 'soup would be honored'],
      ],
    },
    {
      day: 34,
      title: 'Next glaze',
      content: 'I have one kiln free before spring. You choose, I measure.',
      poll: {
        question: 'Which glaze next?',
        options: [
          ['Iron red', 0.29],
          ['A white that is not white', 0.48],
          ['Ash from the apple tree', 0.23],
        ],
      },
      comments: [['theo', 'The apple tree, surely. It will not burn twice.']],
    },
    {
      day: 49,
      title: 'A branch is enough',
      content: 'One bottle, one branch, one wall. I moved it eleven times and put it back.',
      pictures: ['aiko-branch'],
      comments: [['chloe', 'Eleven is the right number.']],
    },
    {
      day: 72,
      title: 'Throwing off the hump',
      content:
        'Forty cups from one block of clay, filmed in one take, with the nine that fell over. Slow it down at minute six.',
      audience: 1500,
      comments: [['owen', 'Minute six. I have watched minute six more than some films.']],
    },
  ],
}
