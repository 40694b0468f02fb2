"use strict";

/** Numbers that are the same on every machine: mulberry32. */
class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** In 0..1, 1 excluded. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** A length in pixels, both ends included: mostly whole, else a multiple of a quarter. */
  length(low, high) {
    const whole = this.integer(Math.ceil(low), Math.floor(Math.max(low, high)));
    return this.chance(0.3) ? whole + this.integer(0, 3) / 4 : whole;
  }
}
