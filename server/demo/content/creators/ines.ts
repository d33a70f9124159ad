import type { DemoCreator } from '../types.ts'

export const ines: DemoCreator = {
  username: 'ines',
  displayName: 'Inês Okafor',
  bio: 'Herbarium drawings and the walks they come from.',
  categories: ['Art'],
  standing: { months: 9, fans: 0.45 },
  plans: [
    {
      name: 'Field notes',
      description: 'A new sheet every Sunday, in print resolution.',
      priceCents: 700,
      interval: 'month',
    },
    {
      name: 'The original',
      description: 'Field notes, and once a year one of the sheets themselves, framed and posted.',
      priceCents: 18_000,
      interval: 'year',
    },
  ],
  posts: [
    {
      day: 2,
      title: 'Sheet 114',
      content:
        'Found behind the old station, where nobody mows. Ink first, color a week later, when I had forgotten what green it was and had to decide.',
      pictures: ['ines-poppy', 'ines-fern'],
      appeal: 1.4,
      comments: [
        ['chloe', 'You decided well.'],
        ['theo', 'Papaver rhoeas, if I may. The seed heads are beautifully observed.'],
        ['ines', 'You may, always. I had written "the red one".'],
      ],
    },
    {
      day: 9,
      title: 'Sheet 113, with the thistle that fought back',
      content: 'Two plasters, one good drawing. The purple is three washes; the fourth would have been one too many.',
      audience: 'Field notes',
      pictures: ['ines-thistle'],
      comments: [
        ['hana', 'I can feel the plasters.'],
        ['greta', 'Do you stretch the paper first, or live dangerously?'],
        ['ines', 'Dangerously. Then I iron it from behind and deny everything.'],
      ],
    },
    {
      day: 24,
      title: 'An olive, for the wall',
      content:
        'The file for printing, A3, no watermark, and a second one without the label if you prefer a mystery. Frame it badly, it forgives.',
      audience: 600,
      pictures: ['ines-olive'],
      comments: [['yara', 'Printed! Framed! Badly!']],
    },
    {
      day: 41,
      title: 'What is in my bag',
      content: 'A tin, four half pans, a pen that leaks and a pen that does not. I take the one that leaks. #drawing',
      comments: [['owen', 'Four colors. I own sixty and draw nothing.']],
    },
    {
      day: 63,
      title: 'On getting green wrong',
      content:
        'Every tube of green is a lie about some other country. Mix it: a yellow that is slightly dirty, a blue that is slightly warm. Here are the nine that I use, with swatches you can lay beside a leaf.',
      audience: 'Field notes',
      comments: [['imani', 'We laid them beside leaves. Twenty-six children, one argument, no winners.']],
    },
  ],
}
