import type { DemoCreator } from '../types.ts'

export const tomas: DemoCreator = {
  username: 'tomas',
  displayName: 'Tomás Rey',
  bio: 'A small kitchen, a big table. Recipes that survive a Tuesday.',
  categories: ['Cooking', 'Lifestyle'],
  standing: { months: 11, fans: 0.7 },
  plans: [
    {
      name: 'A seat at the table',
      description: 'Two full recipes a week, with the mistakes left in.',
      priceCents: 500,
      interval: 'month',
      trialDays: 7,
    },
  ],
  products: [
    {
      title: 'Four plates for a Tuesday',
      description:
        'Four dinners that forgive you: bread, carrots, soup, and a plate for guests who come too early. Large pictures for the kitchen wall, and the shopping list as text.',
      priceCents: 600,
      subscriberPercentOff: 50,
      stock: 200,
      cover: 'tomas-soup',
      files: [
        { name: 'Four plates.pdf', pages: ['tomas-bread', 'tomas-carrots', 'tomas-soup', 'tomas-still'] },
        {
          name: 'Shopping list.txt',
          text: 'Flour, salt, yeast\nCarrots, labneh, plums\nLeeks, potatoes, one lemon\nWhatever is ripe\n',
        },
      ],
    },
  ],
  posts: [
    {
      day: 1,
      title: 'Lunch for one, plates for three',
      content:
        'Roasted carrots, labneh, and the last of the plums. Cook the carrots longer than you think, then a little longer.',
      pictures: ['tomas-carrots'],
      appeal: 1.4,
      comments: [
        ['yara', 'Made this tonight!! My roommate asked if I was okay. I was more than okay!!'],
        ['ravi', '220 °C, 38 minutes, turned twice. Documenting for the rest of you.'],
        ['tomas', 'Ravi, you are hired.'],
        ['owen', 'I do not like carrots. I have now eaten a kilogram of carrots.'],
      ],
    },
    {
      day: 4,
      title: 'The bread that waits for you',
      content:
        'Four ingredients, eighteen hours, almost no work. The timings fit around a job: mix after dinner, fold before bed, bake when you are home again. Here is the whole schedule, and what to do when the kitchen is cold.',
      audience: 'A seat at the table',
      pictures: ['tomas-bread'],
      appeal: 1.3,
      comments: [
        ['greta', 'Cold kitchen, 16 degrees: it took 24 hours and was worth every one.'],
        ['jonas', 'Bread that fits a night shift. I did not know I was allowed.'],
      ],
    },
    {
      day: 12,
      title: 'Soup is a verb',
      content:
        'Whatever is left, an onion, a tin, twenty minutes. The cream goes on at the end, with a spoon, badly. It looks better that way. #kitchen #soup',
      pictures: ['tomas-soup'],
      comments: [
        ['imani', 'My children souped. Both of them. Thank you.'],
        ['zofia', 'In Polish it is a noun and an obligation.'],
      ],
    },
    {
      day: 18,
      title: 'What should we cook on Sunday?',
      content: 'Live at noon, cameras optional, aprons recommended.',
      poll: {
        question: 'What should we cook on Sunday?',
        options: [
          ['Rice with everything', 0.38],
          ['Hand-cut noodles', 0.44],
          ['A cake nobody can fail', 0.18],
        ],
      },
      comments: [['mateo', 'noodles. i have a knife now']],
    },
    {
      day: 30,
      title: 'Lemons, eggs, and a jug',
      content:
        'Mayonnaise is patience with a fork. If it splits, you were talking. Start again with one more yolk and keep quiet.',
      pictures: ['tomas-still'],
      comments: [
        ['kofi', 'It split. I was, in fact, talking.'],
        ['hana', 'The light in this kitchen makes me want to be a lemon.'],
      ],
    },
    {
      day: 47,
      title: 'Seven dinners from one chicken',
      content:
        'The plan for a whole week, with a shopping list that fits on the back of a receipt. Day four is the good one. Day six is broth and dignity.',
      audience: 'A seat at the table',
      comments: [['lena', 'We made it to day five before somebody ordered pizza. A record.']],
    },
    {
      day: 70,
      title: 'Salt, sooner',
      content:
        'If you change one thing this year: salt the meat when you come home from the market, not when you cook it. #kitchen',
      comments: [['theo', 'My late wife said exactly this. It is good to hear it again.']],
    },
  ],
  stories: [
    {
      picture: 'tomas-bread',
      caption: 'Out of the oven. Wait an hour before you cut it. I never do.',
      alt: 'A loaf of bread with a dark crust',
      audience: 'everyone',
    },
    {
      picture: 'tomas-soup',
      caption: 'Tonight’s soup, before anyone has tasted it.',
      alt: 'A pot of soup on a stove',
      audience: 'subscribers',
    },
  ],
}
