/** The stock sentences of each tone of copy. None of them states a fact. */
import type { Wishes } from './wishes.ts';

export interface Tone {
  headline(name: string, feature: string | null): string;
  meet(subject: string): string;
  audience(people: string): string;
  more: string;
  closing: string;
  call: string;
  end: string;
  emoji: string;
}

const plain: Tone = {
  headline: (name, feature) => (feature === null ? `Meet ${name}` : `${name}: ${feature}`),
  meet: (subject) => `Meet ${subject}`,
  audience: (people) => `Made with ${people} in mind.`,
  more: 'There is more',
  closing: 'Take a closer look.',
  call: 'Find out more',
  end: '.',
  emoji: '✨',
};

const formal: Tone = {
  ...plain,
  headline: (name, feature) => (feature === null ? `Presenting ${name}` : `${name} – ${feature}`),
  meet: (subject) => `We are pleased to present ${subject}`,
  audience: (people) => `Intended for ${people}.`,
  more: 'Further details',
  closing: 'We would be glad to tell you more.',
  call: 'Request further information',
};

const friendly: Tone = {
  ...plain,
  meet: (subject) => `Say hello to ${subject}`,
  audience: (people) => `We had ${people} in mind.`,
  more: "And that's not all",
  closing: "Come and see for yourself – we'd love to show you.",
  call: 'Come and have a look',
};

const playful: Tone = {
  ...friendly,
  headline: (name, feature) => (feature === null ? `Hello, ${name}!` : `Hello, ${name}! Hello, ${feature}!`),
  meet: (subject) => `Drum roll for ${subject}`,
  audience: (people) => `Psst, ${people}: this one is for you!`,
  more: 'Wait, there is more',
  closing: 'Go on, have a peek!',
  call: 'Go and get it',
  end: '!',
  emoji: '🎉',
};

const simple: Tone = { ...plain, closing: 'Have a look.', call: 'Find out more' };

export function toneOf(wishes: Wishes): Tone {
  if (wishes.playful) return playful;
  if (wishes.formal) return formal;
  if (wishes.friendly) return friendly;
  return wishes.simple ? simple : plain;
}
