import type { DemoCreator } from '../types.ts'

export const elias: DemoCreator = {
  username: 'elias',
  displayName: 'Elias Brandt',
  bio: 'Chairs, spoons, and joints that need no glue. Hand tools, mostly.',
  categories: ['Lifestyle', 'Art'],
  standing: { months: 9, fans: 0.35 },
  plans: [
    {
      name: 'Shavings',
      description: 'A drawing to scale every month, with a cutting list.',
      priceCents: 900,
      interval: 'month',
    },
  ],
  posts: [
    {
      day: 3.2,
      title: 'The stool, finished',
      content: 'Walnut seat, oak legs, no screws. It carries me, and I am not a small man.',
      pictures: ['elias-stool'],
      appeal: 1.3,
      comments: [
        ['owen', 'Does it rock?'],
        ['elias', 'On my floor, no. On yours, blame the floor.'],
        ['greta', 'The chamfer under the seat! Nobody sees it and you did it.'],
      ],
    },
    {
      day: 13,
      title: 'Dovetails, half driven',
      content:
        'Stop here and look before you hit it again. What a good fit sounds like, what a bad one sounds like, and how to save one that is a hair too proud. Drawings at 1:1.',
      audience: 'Shavings',
      pictures: ['elias-joint'],
      comments: [['ravi', 'Mine sounded like the second one. Then like firewood.']],
    },
    {
      day: 28,
      title: 'Six spoons, three trees',
      content: 'Ash, oak, walnut, and again. I give the ugly one away first, it finds a kitchen every time.',
      pictures: ['elias-spoons'],
      comments: [
        ['zofia', 'Which one is the ugly one?'],
        ['elias', 'Thank you.'],
      ],
    },
    {
      day: 50,
      title: 'A plane that sings',
      content: 'Flat sole, keen iron, wax. When the shaving holds together you will hear it.',
      pictures: ['elias-plane'],
      comments: [['theo', 'I can smell this photograph.']],
    },
    {
      day: 69,
      title: 'Plans: the two-hour bench',
      content: 'Four boards, eight cuts, one afternoon if you stop for coffee. Drawing and list.',
      audience: 700,
      comments: [['mateo', 'took six hours. three coffees. i love it']],
    },
  ],
}
