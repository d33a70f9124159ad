import type { DemoCreator } from '../types.ts'

export const juno: DemoCreator = {
  username: 'juno',
  displayName: 'Juno Park',
  bio: 'Strength for people with stairs, children and deadlines. Twenty minutes, no mirror.',
  categories: ['Fitness', 'Wellness'],
  standing: { months: 10, fans: 0.55 },
  plans: [
    {
      name: 'Twenty minutes',
      description: 'Four sessions a week. Skip two, nobody counts.',
      priceCents: 1200,
      interval: 'month',
      trialDays: 14,
    },
    {
      name: 'With me in your ear',
      description: 'Everything, a plan that is yours, and a voice message every Monday.',
      priceCents: 4500,
      interval: 'month',
    },
  ],
  page: {
    accentColor: '#1f7391',
    welcome: 'You need twenty minutes and a floor. Look around, try the free ones, and come back tired.',
    links: [{ label: 'Classes by the water', url: 'https://example.com/juno/classes' }],
    featured: 'A floor is enough',
  },
  sessions: [
    {
      title: 'Movement check',
      description: 'You move, I watch. Bring the thing that hurts and the stairs you hate.',
      minutes: 30,
      priceCents: 3500,
    },
    {
      title: 'A plan for three months',
      description: 'We build it together, around the week that you really have.',
      minutes: 60,
      priceCents: 7000,
    },
  ],
  posts: [
    {
      day: 0.7,
      content: 'Morning mobility by the water. Five movements, thirty breaths, done before the coffee is.',
      pictures: ['juno-shore'],
      appeal: 1.3,
      comments: [
        ['mateo', 'did it on a balcony. neighbors confused. recommend'],
        ['hana', 'Breath nineteen is where it gets honest.'],
        ['sam', 'Thirty breaths and I was late for nothing. New record.'],
      ],
    },
    {
      day: 5,
      title: 'One bell, whole body',
      content:
        'Five rounds, four lifts, one kettlebell. If you have none, a rucksack with books is honest work. Full video, form notes, and the version for sore shoulders.',
      audience: 'Twenty minutes',
      pictures: ['juno-weights'],
      comments: [
        ['ravi', 'Rucksack: 9.4 kg. Books: mostly unread. Now at least useful.'],
        ['imani', 'My daughter counts for me. She skips numbers. It is a longer workout.'],
      ],
    },
    {
      day: 15,
      title: 'The four-week plan for beginners',
      content: 'Everything on two pages, to hang on the fridge. No app, no streaks, a box to tick if you like boxes.',
      audience: 800,
      appeal: 0.8,
      comments: [['jonas', 'Day nine, still ticking. My back has stopped writing to me.']],
    },
    {
      day: 22,
      title: 'When do you train?',
      content: 'I am moving the live sessions, so that more of you can be there.',
      poll: {
        question: 'When do you train?',
        options: [
          ['Before everybody wakes up', 0.37],
          ['In the lunch break', 0.17],
          ['After the children are in bed', 0.34],
          ['Never, I only read along', 0.12],
        ],
      },
      comments: [['kofi', 'I answered honestly and feel fitter already.']],
    },
    {
      day: 36,
      title: 'A floor is enough',
      content: 'My whole studio: a mat, two blocks, a window. If you can lie down in it, you can train in it.',
      pictures: ['juno-practice'],
      comments: [['chloe', 'That window is doing half of the work.']],
    },
    {
      day: 58,
      title: 'Heavy is a skill',
      content:
        'How to lift something serious without being serious about it. Set-up, breath, the part where you put it down again. That part matters.',
      audience: 'Twenty minutes',
      pictures: ['juno-bar'],
      comments: [['owen', 'I picked up the sofa on my own. My partner has questions.']],
    },
  ],
}
