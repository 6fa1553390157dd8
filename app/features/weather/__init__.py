"""The weather: a tool that asks Open-Meteo."""

from app.features.weather.tool import get_weather
from app.services.feature import Feature

WEATHER = Feature("weather", tools=(get_weather,))
